import { readdirSync, readFileSync } from "node:fs";

// Process statistics from /proc. On systems without it (macOS, Windows) everything is null, and the
// report leaves it out.

/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

interface Stat {
  parent: number;
  /** Milliseconds of CPU time of all threads. */
  cpuMs: number;
  /** The same of its children that have exited. */
  endedChildrenMs: number;
}

function statOf(pid: number | string): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ms = (index: number) => Number(fields[index]) * MS_PER_TICK;
    return {
      parent: Number(fields[1]),
      cpuMs: ms(11) + ms(12),
      endedChildrenMs: ms(13) + ms(14),
    };
  } catch {
    return null;
  }
}

/** Milliseconds of CPU time of a process. */
export const cpuMsOf = (pid: number): number | null => statOf(pid)?.cpuMs ?? null;

/** The same with its children, running and exited: a database server with its backends. */
export function cpuMsOfTree(pid: number): number | null {
  const head = statOf(pid);
  if (!head) return null;
  let total = head.cpuMs + head.endedChildrenMs;
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null;
    if (stat?.parent === pid) total += stat.cpuMs;
  }
  return total;
}

/** Resident memory of a process, in MiB. */
export function residentMiB(pid: number): number | null {
  try {
    const [, kilobytes] =
      readFileSync(`/proc/${pid}/status`, "latin1").match(/^VmRSS:\s+(\d+) kB$/m) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}
