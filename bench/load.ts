import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "@/scripts/command";

const execute = promisify(execFile);

export type Tool = "wrk" | "autocannon";

/** What a burst of requests gave. */
export interface Load {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Answers of 400 and above, and requests without an answer: 0, or the figures mean nothing. */
  failures: number;
  /** Bytes of an answer with its headers, on average. */
  bytes: number;
}

/** wrk is the lighter of the two: autocannon itself ends near 13,000 requests per second. */
export function findTool(): Tool {
  return spawnSync("wrk", ["-v"]).error ? "autocannon" : "wrk";
}

/**
 * Asks for the paths in turn, as fast as the answers come, over `connections` connections.
 *
 * @param first index of the first path: so that the next burst goes on where this one ended
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
    // Each connection begins somewhere else: in step they would ask for the same all the time.
    setupClient: (connection) => {
      const from = (first + Math.floor((client++ * paths.length) / connections)) % paths.length;
      const turn = [...paths.slice(from), ...paths.slice(0, from)];
      connection.setRequests(turn.map((target) => ({ method: "GET", path: target, headers })));
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
