import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "@/scripts/command";
import type { Service } from "@/scripts/services";

const GRACE_MS = 10_000;

/** A Node.js child process that ends with this process, even when this one is killed. */
export interface NodeChild extends Service {
  pid: number;
  /** Resolves to its exit code, 128 + n where signal n ended it. */
  ended: Promise<number>;
}

export function startNode({
  args,
  env,
  stdout = "inherit",
  isGuarded = true,
  guardsItself = false,
  graceMs = GRACE_MS,
}: {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  stdout?: "inherit" | "ignore";
  /** Loads child-preload.mjs; false for a program whose own children must not inherit it. */
  isGuarded?: boolean;
  /** It ends by itself when this process does (server.ts). */
  guardsItself?: boolean;
  /** How long it may take to shut down before it is killed. */
  graceMs?: number;
}): NodeChild {
  const preload = pathToFileURL(path.join(ROOT, "scripts/child-preload.mjs")).href;
  const options: SpawnOptions = {
    cwd: ROOT,
    env: { ...env, SHOP_GUARDED_BY: String(process.pid) },
    stdio: ["ignore", stdout, "inherit", isGuarded || guardsItself ? "ipc" : "ignore"],
  };
  const child = spawn(
    process.execPath,
    [...(isGuarded && !guardsItself ? ["--import", preload] : []), ...args],
    options,
  );
  const ended = once(child, "exit").then(([code, signal]: unknown[]) => {
    if (typeof code === "number") return code;
    return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  });
  return {
    pid: child.pid ?? 0,
    ended,
    stop: async ({ isForced }) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(isForced ? "SIGKILL" : "SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
