import { cache, cacheSignal } from "react";
import { fail } from "@/lib/errors";
import { recordPageError } from "@/lib/http/server/outage";
import { readSemaphore } from "@/lib/http/server/read-semaphore";
import { currentRequest } from "@/lib/http/server/request-context";

// Limits how many pages are rendered for the cache at once. A client that asks for many uncached or
// expired views of the catalogue could otherwise start any number of renderings:
// docs/decisions/031.

/** Pages rendered at a time; more would not be done sooner, since they share one processor. */
const MAX_RENDERINGS = 16;

export interface Semaphore {
  /**
   * Waits for a permit, and holds it until the signal is aborted.
   *
   * @throws the signal's reason, where it is aborted before
   */
  acquire(signal: AbortSignal): Promise<void>;
}

/** A semaphore with `max` permits, which are given in the order of the requests. */
export function createSemaphore(max: number): Semaphore {
  const waiting = new Set<() => void>();
  let running = 0;
  const startNext = () => {
    for (const start of waiting) {
      if (running >= max) return;
      waiting.delete(start);
      running += 1;
      start();
    }
  };
  return {
    acquire: (signal) =>
      new Promise((start, reject) => {
        if (signal.aborted) return reject(signal.reason);
        waiting.add(start);
        signal.addEventListener("abort", () => {
          if (waiting.delete(start)) reject(signal.reason);
          else running -= 1;
          startNext();
        });
        startNext();
      }),
  };
}

// Next.js may load this module once per bundle; the process has one queue.
const KEY = Symbol.for("mini-ecommerce.renderings");
const shared = globalThis as { [KEY]?: Semaphore };

/**
 * Awaited by a cached page before it reads anything. It holds its permits until React has rendered
 * the page or failed to, also where the visitor has left: others may wait for the same page, or
 * nobody, where an expired one is rendered again.
 *
 * @throws 503 where none is left; a page that is cached already stays cached
 */
export const acquireRendering = cache(async (): Promise<void> => {
  const signal = cacheSignal() as AbortSignal | null;
  if (!signal) throw new Error("Only a page that is being rendered acquires a permit.");
  const release = readSemaphore().tryAcquire(currentRequest()?.network);
  if (!release) {
    const refusal = fail.unavailable();
    // Next.js reports it when the response may have been sent already.
    recordPageError(refusal);
    throw refusal;
  }
  signal.addEventListener("abort", release);
  shared[KEY] ??= createSemaphore(MAX_RENDERINGS);
  await shared[KEY].acquire(signal);
});
