import { lt, sql } from "drizzle-orm";
import { db } from "@/db";
import { deleteBatch } from "@/db/delete-batch";
import { checkouts, paymentEvents } from "@/db/schema/checkout";

/**
 * Days that a checkout without an order is kept, for complaints. Its payment has been cancelled or
 * refunded; one that comes in later is refunded without the checkout, too.
 */
const ENDED_CHECKOUT_DAYS = 90;

/** Days that events are kept; the provider repeats them for three. */
const EVENT_DAYS = 30;

/** Deletes checkouts that ended long ago without an order: they hold names and addresses. */
export async function deleteEndedCheckouts(): Promise<void> {
  // The states stand in the text, for the index of those that have ended.
  await deleteBatch(
    checkouts,
    sql`${checkouts.status} in ('cancelled', 'refunded')
      and ${checkouts.updatedAt} < now() - make_interval(days => ${ENDED_CHECKOUT_DAYS})`,
  );
}

/** Deletes events that the provider will not send again. */
export async function deleteOldEvents(): Promise<void> {
  await db
    .delete(paymentEvents)
    .where(lt(paymentEvents.receivedAt, sql`now() - make_interval(days => ${EVENT_DAYS})`));
}
