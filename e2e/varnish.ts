import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findPort } from "./shop-process";

const RULES = path.resolve(import.meta.dirname, "../deploy/varnish");

/** A real varnishd with the shop's rules, on a port and with a folder of its own. */
export interface Varnish {
  /** Without a slash at its end. */
  baseURL: string;
  stop(): Promise<void>;
}

/** Why tests with Varnish cannot run here; null where they can, and on CI, which has to install it. */
export function whyNoVarnish(): string | null {
  if (process.env.CI || !spawnSync("varnishd", ["-V"]).error) return null;
  return "varnishd is not installed (Debian's package varnish)";
}

/** @param backends the ports of the shop's processes */
export async function startVarnish({
  backends,
  secret,
  port,
}: {
  backends: readonly number[];
  secret: string;
  /** Any free one if not given. */
  port?: number;
}): Promise<Varnish> {
  const listen = port ?? (await findPort());
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-varnish-"));
  // Its worker runs under an account of its own where varnishd was started by root.
  chmodSync(folder, 0o755);
  const declared = backends.map((port, i) => ({
    name: `shop_${i + 1}`,
    text: `backend shop_${i + 1} { .host = "127.0.0.1"; .port = "${port}"; }`,
  }));
  writeFileSync(
    path.join(folder, "backends.vcl"),
    [
      "import directors;",
      ...declared.map(({ text }) => text),
      "sub vcl_init {",
      "  new shop = directors.round_robin();",
      ...declared.map(({ name }) => `  shop.add_backend(${name});`),
      "}",
      "",
    ].join("\n"),
  );
  const child = spawn(
    "varnishd",
    [
      "-F",
      ...["-n", path.join(folder, "work")],
      ...["-a", `127.0.0.1:${listen}`],
      ...["-f", path.join(RULES, "default.vcl")],
      // The folder of the rules last: they bring a sample of what stands in ours.
      ...["-p", `vcl_path=${folder}:${RULES}`],
      ...["-p", "thread_pool_min=10"],
      ...["-s", "malloc,32m"],
    ],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, CACHE_PURGE_SECRET: secret },
    },
  );
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  const ended = once(child, "exit");
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (child.exitCode === null && !(await isListening(listen))) await delay(20);
  if (child.exitCode !== null) {
    await stop();
    throw new Error(`varnishd has ended:\n${written}`);
  }
  return { baseURL: `http://127.0.0.1:${listen}`, stop };
}

async function isListening(port: number): Promise<boolean> {
  const socket = net.connect({ host: "127.0.0.1", port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
