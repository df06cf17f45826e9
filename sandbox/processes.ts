import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Identifies a process across crashes and reboots, after which its pid may be another program's. */
export interface ProcessIdentity {
  pid: number;
  /** Its start time in the system's own format; null where the system does not tell. */
  startedAt: string | null;
}

let bootId: string | undefined;

/** Reads `/proc/{pid}/stat`. The command may contain spaces and brackets: the rest follows its end. */
function linuxStat(pid: number): { state: string; parent: number; ticks: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", parent: Number(fields[1]), ticks: fields[19] ?? "" };
  } catch {
    return null;
  }
}

/** The process's start time, or null where there is none (a zombie counts as none). */
function startTimeOf(pid: number): string | null {
  if (process.platform === "linux") {
    const stat = linuxStat(pid);
    if (!stat || stat.state === "Z" || stat.state === "X") return null;
    bootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${bootId}/${stat.ticks}`;
  }
  if (process.platform === "win32") return null;
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
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

/** Polls until the condition holds; false when it does not within `timeoutMs`. */
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

/** Sends a signal; a process that has ended already is no error. */
export function signal({ pid, name }: { pid: number; name: NodeJS.Signals }): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/**
 * The npm that runs this command, if any. There may be a shell between the two: npm runs scripts by
 * `sh -c`, and not every shell execs the last command.
 */
export function findLauncher(): ProcessIdentity | null {
  if (process.env.npm_lifecycle_event === undefined) return null;
  const parent = process.ppid;
  if (process.platform !== "linux") return identifyProcess(parent);
  const command = readFileSync(`/proc/${parent}/comm`, "latin1").trim();
  const isShell = /^(?:sh|bash|dash|ash|zsh|busybox)$/.test(command);
  return identifyProcess((isShell && linuxStat(parent)?.parent) || parent);
}
