import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const RULES = path.resolve("deploy/varnish");

/** A real varnishd with the shop's rules, and a folder of its own. */
export interface Varnish {
  /** Without a slash at its end. */
  origin: string;
  stop(): Promise<void>;
}

/** Is Debian's package `varnish`, or its like, installed? */
export const isVarnishInstalled = () => !spawnSync("varnishd", ["-V"]).error;

/**
 * Starts varnishd in front of shops on this machine.
 *
 * @param backends the ports of the shop's processes
 * @param secret what the shop is given as CACHE_PURGE_SECRET
 */
export async function startVarnish({
  port,
  backends,
  secret,
}: {
  port: number;
  backends: readonly number[];
  secret: string;
}): Promise<Varnish> {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-varnish-"));
  // Its worker runs under an account of its own where varnishd was started by root.
  chmodSync(folder, 0o755);
  const names = backends.map((_, i) => `shop_${i + 1}`);
  const declarations = backends.map(
    (port, i) => `backend ${names[i]} { .host = "127.0.0.1"; .port = "${port}"; }`,
  );
  writeFileSync(
    path.join(folder, "backends.vcl"),
    [
      "import directors;",
      ...declarations,
      "sub vcl_init {",
      "  new shop = directors.round_robin();",
      ...names.map((name) => `  shop.add_backend(${name});`),
      "}",
      "",
    ].join("\n"),
  );
  const child = spawn(
    "varnishd",
    [
      "-F",
      ...["-n", path.join(folder, "work")],
      ...["-a", `127.0.0.1:${port}`],
      ...["-f", path.join(RULES, "default.vcl")],
      // The folder of the rules last: they bring a sample of what stands in ours.
      ...["-p", `vcl_path=${folder}:${RULES}`],
      ...["-s", "malloc,64m"],
    ],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, CACHE_PURGE_SECRET: secret } },
  );
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  const ended = once(child, "exit");
  // Whoever ends without stopping it, leaves nothing running.
  const stopNow = () => child.kill("SIGTERM");
  process.once("exit", stopNow);
  const stop = async () => {
    process.off("exit", stopNow);
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (child.exitCode === null && !(await isListening(port))) await delay(20);
  if (child.exitCode !== null) {
    await stop();
    throw new Error(`varnishd has ended:\n${written}`);
  }
  return { origin: `http://127.0.0.1:${port}`, stop };
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
