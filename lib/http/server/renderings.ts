import { cache, cacheSignal } from "react";
import { fail } from "@/lib/errors";
import { networkOf } from "@/lib/http/server/network";
import { recordPageError } from "@/lib/http/server/outage";
import { readSemaphore } from "@/lib/http/server/read-semaphore";
import { currentRequest } from "@/lib/http/server/request-context";
import { perProcess } from "@/lib/per-process";
import { createSemaphore } from "@/lib/semaphore";

// Limits how many pages are rendered for the cache at once. A client that asks for many uncached or
// expired views of the catalogue could otherwise start any number of renderings:
// docs/decisions/031.

/** Pages rendered at a time; more would not be done sooner, since they share one processor. */
const MAX_RENDERINGS = 16;

const semaphore = perProcess("renderings", () => createSemaphore(MAX_RENDERINGS));

/**
 * Awaited by a cached page before it reads anything. It holds its permits until React has rendered
 * the page or failed to, also where the visitor has left: others may wait for the same page, or
 * nobody, where an expired one is rendered again.
 *
 * @param kind a search waits for its turn to query the database, and meanwhile must not keep other pages
 *   from being rendered
 * @throws 503 where none is left; a page that is cached already stays cached
 */
export const acquireRendering = cache(async (kind: "page" | "search"): Promise<void> => {
  const signal = cacheSignal() as AbortSignal | null;
  if (!signal) throw new Error("Only a page that is being rendered acquires a permit.");
  const request = currentRequest();
  const release =
    request?.takePermit() ?? readSemaphore().tryAcquire(request && networkOf(request.response.req));
  if (!release) {
    const refusal = fail.unavailable();
    // Next.js reports it when the response may have been sent already.
    recordPageError(refusal);
    throw refusal;
  }
  signal.addEventListener("abort", release);
  if (kind === "page") await semaphore.hold(signal);
});
