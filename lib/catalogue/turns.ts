import { fail } from "@/lib/errors/failure";
import { perProcess } from "@/lib/runtime/per-process";
import { createSemaphore } from "@/lib/runtime/semaphore";

/**
 * Most searches and counts that query the database at a time. They are bound by the database's processors: more of
 * them would only slow each other down, and leave no connections to buyers.
 */
const MAX_AT_A_TIME = 4;
/** Milliseconds that a search waits for its turn: the same as for a connection. */
const MAX_WAIT_MS = 5_000;

const turns = perProcess("searches", () => createSemaphore(MAX_AT_A_TIME));

/** Runs a search or a count as soon as its turn has come. @throws 503 where it has waited too long */
export const inTurn = <T>(run: () => Promise<T>): Promise<T> =>
  turns.run(run, { atMost: MAX_WAIT_MS, error: () => fail.unavailable() });
