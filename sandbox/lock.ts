import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { OperatorError } from "@/lib/operator-error";
import {
  identifyProcess,
  isSameProcessRunning,
  type ProcessIdentity,
  waitUntil,
} from "@/sandbox/processes";

/** Who holds a lock: the content of the lock file, from which a refused command names the holder. */
export interface LockHolder {
  owner: ProcessIdentity;
  /** The npm that launched the owner. Once that has been killed, the owner stops by itself. */
  launcher: ProcessIdentity | null;
  /** As the person typed it, e.g. "npm start". */
  command: string;
  /** The shop's URL, if the command serves it. */
  address: string | null;
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

/** Is the holder still running although its launcher has ended? Then it is about to stop. */
export function isOrphaned({ owner, launcher }: LockHolder): boolean {
  return isSameProcessRunning(owner) && launcher !== null && !isSameProcessRunning(launcher);
}

/** The running holder; null for a file that is missing, malformed or stale after a crash. */
export function readLock(file: string): LockHolder | null {
  try {
    const holder = JSON.parse(readFileSync(file, "utf8")) as LockHolder;
    return isSameProcessRunning(holder.owner) ? holder : null;
  } catch {
    return null;
  }
}

function tryCreateLock({ file, holder }: { file: string; holder: LockHolder }): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: "wx", mode: 0o644 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** How long to wait for an orphaned holder to end. */
const TAKEOVER_TIMEOUT_MS = 30_000;

/**
 * Acquires the lock for this process. Replaces a stale lock, and waits for one whose holder is
 * orphaned.
 *
 * @returns a function that releases it, and may be called more than once
 * @throws LockedError when another command holds it
 */
export async function acquireLock({
  file,
  ...request
}: { file: string } & Pick<LockHolder, "launcher" | "command" | "address">): Promise<() => void> {
  const holder: LockHolder = { owner: identifyProcess(process.pid), ...request };
  while (!tryCreateLock({ file, holder })) {
    // Another process may just be writing an invalid file: read it twice.
    await waitUntil({ condition: () => readLock(file) !== null, timeoutMs: 100 });
    const other = readLock(file);
    if (other) {
      const hasEnded =
        isOrphaned(other) &&
        (await waitUntil({
          condition: () => !isSameProcessRunning(other.owner),
          timeoutMs: TAKEOVER_TIMEOUT_MS,
        }));
      if (!hasEnded) throw new LockedError(other);
    }
    if (readLock(file) === null) rmSync(file, { force: true });
  }
  return () => {
    if (readLock(file)?.owner.pid === process.pid) rmSync(file, { force: true });
  };
}
