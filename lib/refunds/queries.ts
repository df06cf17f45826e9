import { and, desc, eq } from "drizzle-orm";
import { db } from "@/db";
import { isAmong } from "@/db/among";
import { users } from "@/db/schema/auth";
import { orderLines, orders } from "@/db/schema/orders";
import { creditNotes, refundLines, refunds } from "@/db/schema/refunds";
import type { Reader } from "@/lib/backoffice/list";
import { fail } from "@/lib/errors/failure";
import { groupBy } from "@/lib/group-by";
import { UNKNOWN_ORDER } from "@/lib/orders/texts";
import { readRefundable } from "./refundable";

export type OrderRefund = Awaited<ReturnType<typeof readRefunds>>[number];

/** The refunds of an order, newest first. */
async function readRefunds(
  tx: Reader,
  { orderId, id }: { orderId: number; id?: number | undefined },
) {
  const rows = await tx
    .select({
      refund: refunds,
      creditNoteId: creditNotes.id,
      creditNoteNumber: creditNotes.number,
      /** The user who began the refund; null where nobody of the shop did, or the account was erased. */
      author: { id: users.id, firstName: users.firstName, lastName: users.lastName },
    })
    .from(refunds)
    .leftJoin(creditNotes, eq(creditNotes.refundId, refunds.id))
    .leftJoin(users, eq(users.id, refunds.createdBy))
    .where(and(eq(refunds.orderId, orderId), id === undefined ? undefined : eq(refunds.id, id)))
    .orderBy(desc(refunds.id));
  const lines = await tx
    .select({
      refundId: refundLines.refundId,
      item: refundLines.orderLineId,
      name: orderLines.name,
      quantity: refundLines.quantity,
      amountCents: refundLines.amountCents,
    })
    .from(refundLines)
    .innerJoin(orderLines, eq(orderLines.id, refundLines.orderLineId))
    .where(
      isAmong(
        refundLines.refundId,
        rows.map(({ refund }) => refund.id),
      ),
    )
    .orderBy(refundLines.orderLineId);
  const byRefund = groupBy(lines, ({ refundId }) => refundId);
  return rows.map(({ refund, ...rest }) => ({
    ...refund,
    ...rest,
    lines: byRefund.get(refund.id) ?? [],
  }));
}

/** @throws 404 */
export async function requireOrderRefund({
  orderId,
  id,
  tx = db,
}: {
  orderId: number;
  id: number;
  tx?: Reader;
}): Promise<OrderRefund> {
  const [refund] = await readRefunds(tx, { orderId, id });
  if (!refund) throw fail.notFound();
  return refund;
}

/** The refunds of an order, and what may still be refunded. @throws 404 */
export async function getOrderRefunds(orderId: number) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (!order) throw fail.notFound(UNKNOWN_ORDER);
  const [orderRefunds, left] = await Promise.all([
    readRefunds(db, { orderId }),
    readRefundable(db, order),
  ]);
  return { order, refunds: orderRefunds, left };
}

export type OrderRefunds = Awaited<ReturnType<typeof getOrderRefunds>>;
