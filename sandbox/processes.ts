import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * A process that can be recognised later. Its number alone is not enough: after a crash or a
 * restart of the machine the same number may belong to another program.
 */
export interface ProcessMark {
  pid: number;
  /** When it began, in the system's own words; null where the system does not tell. */
  startedAt: string | null;
}

let bootId: string | undefined;

/** Reads `/proc/{pid}/stat`: `command` may hold spaces and brackets, so the rest counts from its end. */
function linuxStat(pid: number): { state: string; parent: number; ticks: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", parent: Number(fields[1]), ticks: fields[19] ?? "" };
  } catch {
    return null;
  }
}

/** When the process began, or null where there is none (an unreaped zombie counts as none). */
function startOf(pid: number): string | null {
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

/** Does a process of this number run? A zombie, which only waits to be reaped, does not. */
export function isRunning(pid: number): boolean {
  if (process.platform === "linux") return startOf(pid) !== null;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function markProcess(pid: number): ProcessMark {
  return { pid, startedAt: startOf(pid) };
}

/** Does the very process that was marked still run? */
export function isMarkedRunning({ pid, startedAt }: ProcessMark): boolean {
  return isRunning(pid) && startOf(pid) === startedAt;
}

/** Waits until `isOver` holds; false when it does not within `milliseconds`. */
export async function waitUntil({
  isOver,
  milliseconds,
}: {
  isOver: () => boolean | Promise<boolean>;
  milliseconds: number;
}): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (!(await isOver())) {
    if (Date.now() > end) return false;
    await delay(20);
  }
  return true;
}

/** Sends a signal; a process that is gone already is no error. */
export function signal({ pid, name }: { pid: number; name: NodeJS.Signals }): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/**
 * The npm that runs this command, if one does. Between the two there may be a shell, since npm
 * hands its scripts to `sh -c` and not every shell replaces itself by the last command.
 */
export function findLauncher(): ProcessMark | null {
  if (process.env.npm_lifecycle_event === undefined) return null;
  const parent = process.ppid;
  if (process.platform !== "linux") return markProcess(parent);
  const command = readFileSync(`/proc/${parent}/comm`, "latin1").trim();
  const isShell = /^(?:sh|bash|dash|ash|zsh|busybox)$/.test(command);
  return markProcess((isShell && linuxStat(parent)?.parent) || parent);
}
