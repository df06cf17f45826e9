import { cache, cacheSignal } from "react";
import { fail } from "@/lib/errors/failure";
import { createSemaphore } from "@/lib/runtime/semaphore";

// Limits how many pages are rendered at once. A client that asks for many views of the catalogue that are not stored
// could otherwise start any number of renderings: docs/decisions/098.

/**
 * Pages rendered at a time; more would not be done sooner, since they share one processor. A search waits for its turn to
 * query the database, and meanwhile must not keep other pages from being rendered.
 */
const RENDERINGS = { page: createSemaphore(16), search: createSemaphore(64) };
/** Renderings that wait for their turn; further ones are refused. */
const MAX_WAITING = 200;

/**
 * Awaited by a page before it reads anything. It holds its permit until React has rendered the page or failed to, also
 * where the visitor has left: others may wait for the same page.
 *
 * @throws 503 where too many wait; a page that is stored already stays stored
 */
export const acquireRendering = cache(async (kind: "page" | "search"): Promise<void> => {
  const signal = cacheSignal() as AbortSignal | null;
  if (!signal) throw new Error("Only a page that is being rendered acquires a permit.");
  const semaphore = RENDERINGS[kind];
  if (semaphore.waiting >= MAX_WAITING) throw fail.unavailable();
  await semaphore.hold(signal);
});
