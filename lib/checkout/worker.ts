// With its ending: Node.js itself, which runs scripts and unit tests, does not find it without.
import { after } from "next/server.js";
import { roundsOf } from "@/lib/rounds";

/** Checkouts, and payments, per round. */
const LIMIT = 100;

/** Looks at unfinished checkouts. */
export const checkoutWorker = roundsOf({
  name: "checkout-worker",
  failure: "checkouts cannot be reconciled",
  run: async (signal) => {
    // Loaded with the first round: most of a shop's processes on a host without background have none.
    const { reconcile } = await import("./reconcile");
    await reconcile({ limit: LIMIT, signal });
  },
});

/** Settles payments once the answer to the current request has been sent. */
export function settleAfterAnswer(): void {
  try {
    after(checkoutWorker.soon);
  } catch {
    // Not in a request: the next round will find them.
  }
}
