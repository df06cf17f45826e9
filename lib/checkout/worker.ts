import { createWorker } from "@/lib/background/worker";
import { mailWorker } from "@/lib/mail/worker";

/** Checkouts and payments per batch. */
const LIMIT = 100;

export const checkoutWorker = createWorker({
  name: "checkout-worker",
  failure: "checkouts cannot be reconciled",
  run: async (signal) => {
    // Loaded in the first batch: on a host without background work most processes run no batch.
    const { reconcile } = await import("./reconcile");
    const { completed, settled, refunds } = await reconcile({ limit: LIMIT, signal });
    // Mails about orders and refunds are sent now, not by a later batch.
    if (completed + settled.refunded + refunds.succeeded > 0 && !signal.aborted)
      void mailWorker.trigger();
  },
});
