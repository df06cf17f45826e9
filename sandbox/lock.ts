import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { OperatorError } from "@/lib/operator-error";
import { isMarkedRunning, markProcess, type ProcessMark, waitUntil } from "@/sandbox/processes";

/** Who holds a lock. It is written into the lock's file, so that a refused command can say it. */
export interface LockHolder {
  owner: ProcessMark;
  /** The npm above the owner. When that was killed, the owner is about to stop by itself. */
  launcher: ProcessMark | null;
  /** As the person typed it, e.g. "npm start". */
  command: string;
  /** Where the shop answers, if the command serves it. */
  address: string | null;
}

export class LockedError extends OperatorError {
  readonly holder: LockHolder;

  constructor(holder: LockHolder) {
    const { command, address, owner } = holder;
    super(
      [
        `Les données de cette boutique sont déjà employées par « ${command} » (processus ${owner.pid}${address ? `, ${address}` : ""}).`,
        `Attendez sa fin, ou arrêtez-le par Ctrl-C dans son terminal, ou par : kill ${owner.pid}`,
      ].join("\n"),
    );
    this.holder = holder;
  }
}

/** Is the holder on its way out: alive, but the npm that started it is gone? */
export function isAbandoned({ owner, launcher }: LockHolder): boolean {
  return isMarkedRunning(owner) && launcher !== null && !isMarkedRunning(launcher);
}

/** The holder that runs; null for a file that is missing, broken or left over by a crash. */
export function readLock(file: string): LockHolder | null {
  try {
    const holder = JSON.parse(readFileSync(file, "utf8")) as LockHolder;
    return isMarkedRunning(holder.owner) ? holder : null;
  } catch {
    return null;
  }
}

function tryWrite({ file, holder }: { file: string; holder: LockHolder }): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: "wx", mode: 0o644 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** How long a holder whose npm was killed gets to stop what it runs. */
const PATIENCE_MS = 30_000;

/**
 * Takes the lock for this process. One that a crash left behind is taken over, one whose holder
 * is stopping is waited for.
 *
 * @returns the release, which may be called more than once
 * @throws LockedError when another command holds it
 */
export async function takeLock({
  file,
  ...request
}: { file: string } & Pick<LockHolder, "launcher" | "command" | "address">): Promise<() => void> {
  const holder: LockHolder = { owner: markProcess(process.pid), ...request };
  for (;;) {
    if (tryWrite({ file, holder })) break;
    // A file without a valid text may be in the making by another process: look twice.
    await waitUntil({ isOver: () => readLock(file) !== null, milliseconds: 100 });
    const other = readLock(file);
    if (other) {
      const gone =
        isAbandoned(other) &&
        (await waitUntil({
          isOver: () => !isMarkedRunning(other.owner),
          milliseconds: PATIENCE_MS,
        }));
      if (!gone) throw new LockedError(other);
    }
    if (readLock(file) === null) rmSync(file, { force: true });
  }
  return () => {
    if (readLock(file)?.owner.pid === process.pid) rmSync(file, { force: true });
  };
}
