import { isDatabaseUnavailable } from "@/lib/database-outage";
import { perProcess } from "@/lib/per-process";

// Whether pages fail because the database or the shop is overloaded or away. Next.js reports the error
// before it sends the response, and to another module than the one that intercepts the response.

/** Milliseconds after such an error in which a failed page is attributed to it; a busy process sends it late. */
const OUTAGE_MS = 60_000;

const last = perProcess<{ at: number | undefined }>("outage", () => ({ at: undefined }));

export function recordPageError(error: unknown): void {
  if (isDatabaseUnavailable(error) || isOverload(error)) last.at = performance.now();
}

/** Was a page refused for overload? Known by its kind, since the class is another bundle's. */
export const isOverload = (error: unknown) =>
  error instanceof Error && "kind" in error && error.kind === "unavailable";

/** Has a page failed just now because the database is away or too slow, or the shop too busy? */
export function isOutage(): boolean {
  const { at } = last;
  return at !== undefined && performance.now() - at < OUTAGE_MS;
}
