import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Identifies a process even after its pid was given to another program. */
export interface ProcessIdentity {
  pid: number;
  /** Its start time in the system's own format; null on Windows. */
  startedAt: string | null;
}

let bootId: string | undefined;

/** The process's start time; null if it does not run or is a zombie. */
function startTimeOf(pid: number): string | null {
  if (process.platform === "win32") return null;
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The fields after the command, which may contain spaces and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return null;
    bootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${bootId}/${fields[18]}`;
  } catch {
    return null;
  }
}

/** Is there a running process with this pid? A zombie does not count. */
export function isRunning(pid: number): boolean {
  if (process.platform === "linux") return startTimeOf(pid) !== null;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, startedAt: startTimeOf(pid) };
}

/** Is this very process still running? */
export function isSameProcessRunning({ pid, startedAt }: ProcessIdentity): boolean {
  return isRunning(pid) && startTimeOf(pid) === startedAt;
}

/** Polls until the condition is true; false if it is not within `timeoutMs`. */
export async function waitUntil({
  condition,
  timeoutMs,
}: {
  condition: () => boolean | Promise<boolean>;
  timeoutMs: number;
}): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
