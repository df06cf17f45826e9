import { cache, cacheSignal } from "react";
import { fail } from "@/lib/errors";
import { readings } from "@/lib/http/load";
import { noteFault } from "@/lib/http/outage";
import { currentRequest } from "@/lib/http/request-context";

// How many pages are made for the cache at once. There are as many views of the catalogue as there are
// filters, and whoever asks for many that are not stored, or for many whose time is over (which are
// made anew behind the visitor's back), would have as many rendered beside each other as they like:
// docs/decisions/031.

/** Pages that are rendered at once; more would not be done sooner, since they share one processor. */
const MOST_RENDERINGS = 16;

export interface Turns {
  /**
   * Waits for a turn, and keeps it until the signal comes.
   *
   * @throws the signal's reason, where it comes before the turn
   */
  take(end: AbortSignal): Promise<void>;
}

/** Lets so many go on at once, and the others in the order in which they came. */
export function takingTurns(most: number): Turns {
  const waiting = new Set<() => void>();
  let underWay = 0;
  const next = () => {
    for (const begin of waiting) {
      if (underWay >= most) return;
      waiting.delete(begin);
      underWay += 1;
      begin();
    }
  };
  return {
    take: (end) =>
      new Promise((begin, giveUp) => {
        if (end.aborted) return giveUp(end.reason);
        waiting.add(begin);
        end.addEventListener("abort", () => {
          if (waiting.delete(begin)) giveUp(end.reason);
          else underWay -= 1;
          next();
        });
        next();
      }),
  };
}

// Next.js may load this module once per bundle; the turns are one queue per process.
const KEY = Symbol.for("mini-ecommerce.renderings");
const shared = globalThis as { [KEY]?: Turns };

/**
 * Awaited by a page of the cache before it reads anything. It keeps its turn, and a place among the
 * readings, until React has rendered the page, or failed to. The visitor who asked first has no say
 * in it: others may wait for the same page, or nobody, where one that is shown is made anew.
 *
 * @throws 503 where no place is left; a page that is stored already stays as it is
 */
export const renderingTurn = cache(async (): Promise<void> => {
  const end = cacheSignal() as AbortSignal | null;
  if (!end) throw new Error("Only a page that is being rendered takes a turn.");
  const release = readings().take(currentRequest()?.network);
  if (!release) {
    const refusal = fail.unavailable();
    // Next.js tells of it when the page may have been answered already.
    noteFault(refusal);
    throw refusal;
  }
  end.addEventListener("abort", release);
  shared[KEY] ??= takingTurns(MOST_RENDERINGS);
  await shared[KEY].take(end);
});
