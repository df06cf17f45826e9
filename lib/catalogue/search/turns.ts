import { fail } from "@/lib/errors";
import { perProcess } from "@/lib/per-process";
import { createSemaphore } from "@/lib/semaphore";

/**
 * Searches that query the database at a time. They are a matter of its processors: more of them would only
 * slow each other, and leave no connections to those who buy.
 */
const MAX_SEARCHES = 4;
/** Milliseconds that a search waits for its turn, as long as for a connection. */
const MAX_WAIT_MS = 5_000;

const semaphore = perProcess("searches", () => createSemaphore(MAX_SEARCHES));

/**
 * Runs a search when it is its turn, in the order of the requests.
 *
 * @throws 503 where it has waited for too long
 */
export const inTurn = <T>(search: () => Promise<T>): Promise<T> =>
  semaphore.run(search, { atMost: MAX_WAIT_MS, error: () => fail.unavailable() });
