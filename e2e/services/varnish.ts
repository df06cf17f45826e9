import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { acceptsConnections } from "@/sandbox/ports";

const RULES = path.resolve("deploy/varnish");

/** A real varnishd with the shop's rules, and a folder of its own. */
export interface Varnish {
  /** Without a slash at its end. */
  origin: string;
  stop(): Promise<void>;
}

/** Is varnishd installed, for example from Debian's package `varnish`? */
export const isVarnishInstalled = () => !spawnSync("varnishd", ["-V"]).error;

/**
 * Starts varnishd in front of shops on this machine.
 *
 * @param backends the ports of the shop's processes
 * @param secret the shop's CACHE_PURGE_SECRET
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
  // If root starts varnishd, its worker process runs under another account.
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
      // This folder first: the rules' folder contains a sample backends.vcl.
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
  // Stops varnishd even if its caller ends without stopping it.
  const stopNow = () => child.kill("SIGTERM");
  process.once("exit", stopNow);
  const stop = async () => {
    process.off("exit", stopNow);
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (child.exitCode === null && !(await acceptsConnections({ port }))) await delay(20);
  if (child.exitCode !== null) {
    await stop();
    throw new Error(`varnishd has ended:\n${written}`);
  }
  return { origin: `http://127.0.0.1:${port}`, stop };
}
