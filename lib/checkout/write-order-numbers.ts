import { eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { checkouts } from "@/db/schema/checkout";
import { orders } from "@/db/schema/orders";
import { log } from "@/lib/http/server/log";
import { type BatchOptions, claimEnd, processDueRows } from "@/lib/payments/due-rows";
import { writeOrderNumber } from "@/lib/payments/payment-intents";
import { ProviderRefusal } from "@/lib/payments/stripe-client";

/**
 * Writes order numbers to their payments at the provider, where admins look for them. An order's number is
 * known only once the order is written. May be repeated and run concurrently. Where the provider is
 * unavailable, the batch ends: the failed payment is due again after two minutes, the others in the next
 * batch.
 */
export async function writeOrderNumbers(options: BatchOptions): Promise<void> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  await processDueRows(
    { ...options, signal },
    {
      table: checkouts,
      id: checkouts.id,
      dueAt: checkouts.nextCheckAt,
      isPending: sql`not ${checkouts.isOrderNumberWritten}`,
      claim: (isNext) =>
        db
          .update(checkouts)
          .set({ nextCheckAt: claimEnd })
          .where(isNext)
          .returning({
            id: checkouts.id,
            paymentId: checkouts.paymentIntentId,
            email: checkouts.buyerEmail,
            /** Null where the order has been deleted since. */
            orderNumber: sql<string | null>`(select ${orders.number} from ${orders}
            where ${orders.id} = ${checkouts.orderId})`,
          }),
      idOf: ({ id }) => id,
      work: async ({ id, paymentId, email, orderNumber }) => {
        try {
          if (paymentId && orderNumber)
            await writeOrderNumber({ id: paymentId, email, orderNumber });
        } catch (error) {
          log.warn(
            { err: error, payment: paymentId },
            "could not write the order number to its payment",
          );
          if (!isFinal(error)) return stop.abort();
        }
        await db.update(checkouts).set({ isOrderNumberWritten: true }).where(eq(checkouts.id, id));
      },
    },
  );
}

/** The provider does not know the payment, or will never change it. */
const isFinal = (error: unknown): boolean =>
  error instanceof ProviderRefusal && [400, 404].includes(error.answer.status);
