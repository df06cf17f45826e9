import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "@/scripts/command";

const execute = promisify(execFile);

export type Tool = "wrk" | "autocannon";

/** The result of a burst of requests. */
export interface Load {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Statuses from 400 on, and requests without a response. Must be 0 for the figures to count. */
  failures: number;
  /** Average bytes of a response with its headers. */
  bytes: number;
}

/** wrk is the lighter of the two: autocannon itself ends near 13,000 requests per second. */
export function findTool(): Tool {
  return spawnSync("wrk", ["-v"]).error ? "autocannon" : "wrk";
}

/**
 * Requests the paths in turn over `connections` connections, as fast as possible.
 *
 * @param first index of the first path, so that a burst continues where the last one ended
 */
export function runLoad(options: {
  tool: Tool;
  origin: string;
  paths: readonly string[];
  first?: number;
  headers?: Readonly<Record<string, string>>;
  connections: number;
  seconds: number;
}): Promise<Load> {
  return options.tool === "wrk" ? runWrk(options) : runAutocannon(options);
}

/**
 * Requests that autocannon prepares for all connections: while it does, it reads no response, and counts that
 * as the server's time (16 s for 64 connections with 30,000 requests each).
 */
const MAX_PREPARED = 20_000;

type LoadOptions = Omit<Parameters<typeof runLoad>[0], "tool">;

async function runWrk(options: LoadOptions): Promise<Load> {
  const { origin, paths, first = 0, headers = {}, connections, seconds } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-bench-"));
  try {
    const list = path.join(folder, "paths");
    writeFileSync(list, `${paths.join("\n")}\n`);
    const { stdout } = await execute("wrk", [
      "--threads=1",
      `--connections=${connections}`,
      `--duration=${seconds}s`,
      "--timeout=30s",
      ...Object.entries(headers).map(([name, value]) => `--header=${name}: ${value}`),
      `--script=${path.join(ROOT, "bench/wrk.lua")}`,
      origin,
      "--",
      list,
      String(first),
    ]);
    const line = stdout.trim().split("\n").at(-1) ?? "";
    const result = JSON.parse(line) as Record<
      "requests" | "microseconds" | "p50" | "p99" | "refused" | "failed" | "bytes",
      number
    >;
    return {
      requests: result.requests,
      perSecond: (result.requests * 1e6) / result.microseconds,
      p50: result.p50 / 1000,
      p99: result.p99 / 1000,
      failures: result.refused + result.failed,
      bytes: result.bytes / Math.max(1, result.requests),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runAutocannon(options: LoadOptions): Promise<Load> {
  const { origin, paths, first = 0, headers = {}, connections, seconds } = options;
  const { default: autocannon } = await import("autocannon");
  let client = 0;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    timeout: 30,
    // The connections take turns, so that none requests what another one does.
    setupClient: (connection) => {
      const from = first + client++;
      const length = Math.ceil(Math.min(paths.length, MAX_PREPARED) / connections);
      const turn = Array.from({ length }, (_, index) => from + index * connections);
      const pathAt = (place: number) => paths[place % paths.length] ?? "/";
      connection.setRequests(turn.map((at) => ({ method: "GET", path: pathAt(at), headers })));
    },
  });
  const requests = result["2xx"] + result.non2xx;
  return {
    requests,
    perSecond: requests / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result["4xx"] + result["5xx"] + result.errors + result.timeouts,
    bytes: result.throughput.total / Math.max(1, requests),
  };
}
