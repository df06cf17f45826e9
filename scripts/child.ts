import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "@/scripts/command";
import type { Service } from "@/scripts/services";

const GRACE_MS = 10_000;

/** A Node.js program that runs beside this one and ends with it, even when this one is killed. */
export interface NodeChild extends Service {
  pid: number;
  /** Its exit code, once it has ended; as shells count it where a signal ended it. */
  ended: Promise<number>;
}

export function startNode({
  args,
  env,
  stdout = "inherit",
  isGuarded = true,
  graceMs = GRACE_MS,
}: {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  stdout?: "inherit" | "ignore";
  /** false for a program whose own children would inherit the guard and must not. */
  isGuarded?: boolean;
  /** How long it may take to end in order. */
  graceMs?: number;
}): NodeChild {
  const preload = pathToFileURL(path.join(ROOT, "scripts/child-preload.mjs")).href;
  const options: SpawnOptions = {
    cwd: ROOT,
    env: { ...env, SHOP_GUARDED_BY: String(process.pid) },
    stdio: ["ignore", stdout, "inherit", isGuarded ? "ipc" : "ignore"],
  };
  const child = spawn(
    process.execPath,
    [...(isGuarded ? ["--import", preload] : []), ...args],
    options,
  );
  const ended = once(child, "exit").then(([code, signal]: unknown[]) => {
    if (typeof code === "number") return code;
    return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  });
  return {
    pid: child.pid ?? 0,
    ended,
    stop: async ({ isHurried }) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(isHurried ? "SIGKILL" : "SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
