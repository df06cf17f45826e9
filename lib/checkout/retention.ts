import { lt, sql } from "drizzle-orm";
import { deleteInBatches } from "@/db/delete-in-batches";
import { checkouts, paymentEvents } from "@/db/schema/checkout";

/**
 * Days that a checkout without an order is kept, for complaints. Its payment has been cancelled or
 * refunded. A payment that arrives after the deletion is refunded even without the checkout.
 */
const ENDED_CHECKOUT_DAYS = 90;

/** Days that payment events are kept. The provider repeats an event for three days. */
const EVENT_DAYS = 30;

/** Deletes checkouts that ended long ago without an order: they hold names and addresses. */
export async function deleteEndedCheckouts(): Promise<void> {
  // Literal states, not parameters, so that the index of ended checkouts is used.
  await deleteInBatches(
    checkouts,
    sql`${checkouts.status} in ('cancelled', 'refunded')
      and ${checkouts.updatedAt} < now() - make_interval(days => ${ENDED_CHECKOUT_DAYS})`,
  );
}

/** Deletes events that the provider will not send again. */
export async function deleteOldEvents(): Promise<void> {
  await deleteInBatches(
    paymentEvents,
    lt(paymentEvents.receivedAt, sql`now() - make_interval(days => ${EVENT_DAYS})`),
  );
}
