import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@/sandbox/ports";

/** The system's redis-server, for tests: on a free port, with a folder of its own. */
export interface RedisServer {
  url: string;
  /** Restarts the server on the same port, with its saved data. */
  start(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

export const hasRedis = () => spawnSync("redis-server", ["--version"]).status === 0;

export async function startRedis(): Promise<RedisServer> {
  const dir = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-redis-"));
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", dir, "--save", ""];
    const started = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    let written = "";
    for await (const chunk of started.stdout) {
      written += chunk;
      if (written.includes("Ready to accept connections")) break;
    }
    if (started.exitCode !== null) throw new Error(`redis-server has ended:\n${written}`);
  }
  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  const killNow = () => child?.kill("SIGKILL");
  process.once("exit", killNow);
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    stop: async () => {
      process.off("exit", killNow);
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
