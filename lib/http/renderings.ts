import { after } from "next/server.js";
import { cache } from "react";
import { fail } from "@/lib/errors";
import { readings } from "@/lib/http/load";
import { currentRequest } from "@/lib/http/request-context";

// How many pages are made for the cache at once. There are as many views of the catalogue as there are
// filters, and whoever asks for many that are not stored, or for many whose time is over (which are
// made anew behind the visitor's back), would have as many rendered beside each other as they like:
// docs/decisions/031.

/** Pages that are rendered at once; more would not be done sooner, since they share one processor. */
const MOST_RENDERINGS = 16;

export interface Turns {
  /** Its turn comes with `begun`; `end` gives it to the next one, or leaves the queue. */
  take(): { begun: Promise<void>; end: () => void };
}

/** Lets so many go on at once, and the others in the order in which they came. */
export function takingTurns(most: number): Turns {
  const waiting = new Set<() => void>();
  let running = 0;
  const next = () => {
    for (const begin of waiting) {
      if (running >= most) return;
      waiting.delete(begin);
      running += 1;
      begin();
    }
  };
  return {
    take() {
      const { promise: begun, resolve: begin } = promised();
      waiting.add(begin);
      next();
      let hasEnded = false;
      const end = () => {
        if (hasEnded) return;
        hasEnded = true;
        if (!waiting.delete(begin)) running -= 1;
        next();
      };
      return { begun, end };
    },
  };
}

function promised(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

// Next.js may load this module once per bundle; the turns are one queue per process.
const KEY = Symbol.for("mini-ecommerce.renderings");
const shared = globalThis as { [KEY]?: Turns };

/**
 * Awaited by a page of the cache before it reads anything. It keeps its turn until it has been
 * rendered, and a place among the readings for as long as it waits and renders.
 *
 * @throws 503 where no place is left; a page that is stored already stays as it is
 */
export const renderingTurn = cache(async (): Promise<void> => {
  const release = readings().take(currentRequest()?.network);
  if (!release) throw fail.unavailable();
  shared[KEY] ??= takingTurns(MOST_RENDERINGS);
  const turn = shared[KEY].take();
  // Also runs after one that fails.
  after(() => {
    turn.end();
    release();
  });
  await turn.begun;
});
