import { isDatabaseUnavailable } from "@/db/unavailable";

// Whether pages fail for want of the database, or of places (renderings.ts): Next.js tells the reason
// before it answers, and to another module than the one that sees the answer.

/** Milliseconds for which a failed page is put down to it. */
const LASTS = 10_000;

// Next.js may load this module once per bundle.
const KEY = Symbol.for("mini-ecommerce.outage");
const shared = globalThis as unknown as Record<symbol, number | undefined>;

/** Takes note of what a page has failed by. */
export function noteFault(error: unknown): void {
  if (isDatabaseUnavailable(error) || isTooBusy(error)) shared[KEY] = performance.now();
}

/** Was a page refused by the shop itself? Known by its kind: its class is another bundle's. */
export const isTooBusy = (error: unknown) =>
  error instanceof Error && "kind" in error && error.kind === "unavailable";

/** Has a page failed just now because the database is away or too slow, or the shop too busy? */
export function isOutage(): boolean {
  const at = shared[KEY];
  return at !== undefined && performance.now() - at < LASTS;
}
