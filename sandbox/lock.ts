import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { OperatorError } from "@/lib/errors/operator-error";
import {
  identifyProcess,
  isSameProcessRunning,
  type ProcessIdentity,
  waitUntil,
} from "@/sandbox/processes";

/** What a refused command tells about the holder of a lock. */
export interface LockDescription {
  /** As the person typed it, e.g. "npm start". */
  command: string;
  /** The shop's URL, if the command serves it. */
  address: string | null;
}

/** The content of a lock file. */
interface LockHolder extends LockDescription {
  owner: ProcessIdentity;
}

export class LockedError extends OperatorError {
  constructor({ command, address, owner }: LockHolder) {
    super(
      [
        `Les données de cette boutique sont déjà employées par « ${command} » (processus ${owner.pid}${address ? `, ${address}` : ""}).`,
        `Attendez sa fin, ou arrêtez-le par Ctrl-C dans son terminal, ou par : kill ${owner.pid}`,
      ].join("\n"),
    );
  }
}

/** The running holder; null if the file is missing, malformed or stale. */
export function readLock(file: string): LockHolder | null {
  try {
    const holder = JSON.parse(readFileSync(file, "utf8")) as LockHolder;
    return isSameProcessRunning(holder.owner) ? holder : null;
  } catch {
    return null;
  }
}

/**
 * Acquires the lock for this process, and replaces a stale one.
 *
 * @returns a function that releases it, and may be called more than once
 * @throws LockedError when another command holds it
 */
export async function acquireLock({
  file,
  ...description
}: { file: string } & LockDescription): Promise<() => void> {
  const holder: LockHolder = { owner: identifyProcess(process.pid), ...description };
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(holder), { flag: "wx", mode: 0o644 });
      return () => {
        if (readLock(file)?.owner.pid === process.pid) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    // Another process may still be writing an invalid file.
    await waitUntil({ condition: () => readLock(file) !== null, timeoutMs: 100 });
    const other = readLock(file);
    if (other) throw new LockedError(other);
    rmSync(file, { force: true });
  }
}
