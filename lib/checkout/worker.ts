// With its ending: Node.js itself, which runs scripts and unit tests, does not find it without.
import { after } from "next/server.js";
import { mailWorker } from "@/lib/mail/worker";
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
    const { completed, settled } = await reconcile({ limit: LIMIT, signal });
    // Whoever waits for their order or their money is told now, not by a later round.
    if (completed + settled.refunded > 0 && !signal.aborted) void mailWorker.soon();
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
