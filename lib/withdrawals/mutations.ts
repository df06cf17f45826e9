import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { users } from "@/db/schema/auth";
import { orderLines, orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { isoDateTime } from "@/lib/dates";
import { contactMail } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { enqueueMail } from "@/lib/mail/outbox";
import { readShipments } from "@/lib/orders/shipments";
import { UNKNOWN_ORDER } from "@/lib/orders/texts";
import { readSeller } from "@/lib/seller/queries";
import { SHOP_NAME } from "@/lib/shop/shop-name";
import { isKept, isReturnable } from "./queries";
import { isWithinPeriod, refundDate } from "./rules";
import type { RecordedWithdrawal } from "./schemas";
import { ALREADY_REFUNDED, ALREADY_WITHDRAWN, ONLY_FILES, TOO_LATE, WITHDRAWN } from "./texts";

/**
 * Records a buyer's withdrawal from an order, and queues the acknowledgement to the buyer and the notice to
 * the shop, in one transaction.
 *
 * @param items the objects, in the buyer's words; empty for all
 * @throws 404 for an order that is not theirs; 409 where it was withdrawn from already, is too late or
 *   refunded already, or holds only files
 */
export async function withdraw({
  userId,
  orderId,
  items,
}: {
  userId: number;
  orderId: number;
  items: string;
}): Promise<RecordedWithdrawal> {
  const date = await db.transaction(async (tx) => {
    // Neither the account nor the order can be deleted meanwhile.
    const [buyer] = await tx
      .select({ email: users.email, firstName: users.firstName, lastName: users.lastName })
      .from(users)
      .where(eq(users.id, userId))
      .for("key share");
    if (!buyer) throw fail.unauthorized();
    const [order] = await tx
      .select({
        number: orders.number,
        orderedAt: orders.orderedAt,
        totalCents: orders.totalCents,
        isKept,
      })
      .from(orders)
      .where(and(eq(orders.id, orderId), eq(orders.userId, userId)))
      // A refund that is being settled locks the order, and looks for a withdrawal to settle.
      .for("no key update");
    if (!order) throw fail.notFound(UNKNOWN_ORDER);
    const lines = await tx
      .select({
        name: orderLines.name,
        quantity: orderLines.quantity,
        unitPriceCents: orderLines.unitPriceCents,
        productType: orderLines.productType,
        isReturnable: sql<boolean>`(${isReturnable})`,
      })
      .from(orderLines)
      .where(eq(orderLines.orderId, orderId))
      .orderBy(orderLines.id);
    if (lines.every(({ productType }) => productType === "digital"))
      throw fail.conflict(ONLY_FILES);
    const objects = lines
      .filter((line) => line.isReturnable)
      .map(({ productType: _, isReturnable: __, ...object }) => object);
    if (!order.isKept || objects.length === 0) throw fail.conflict(ALREADY_REFUNDED);
    const parcels = (await readShipments({ orderIds: [orderId], tx })).get(orderId) ?? [];
    if (!isWithinPeriod({ ...order, parcels })) throw fail.conflict(TOO_LATE);
    const withdrawnAt = new Date();
    const refundBy = refundDate(withdrawnAt);
    const isFree = order.totalCents === 0;
    const [withdrawal] = await tx
      .insert(withdrawals)
      .values({
        orderId,
        userId,
        buyerEmail: buyer.email,
        buyerFirstName: buyer.firstName,
        buyerLastName: buyer.lastName,
        items,
        orderNumber: order.number,
        orderedAt: order.orderedAt,
        totalCents: order.totalCents,
        objects,
        refundBy: isFree ? null : refundBy,
        createdAt: withdrawnAt,
      })
      .onConflictDoNothing({ target: withdrawals.orderId })
      .returning({ id: withdrawals.id });
    if (!withdrawal) throw fail.conflict(ALREADY_WITHDRAWN);
    const date = isoDateTime(withdrawnAt);
    const data = {
      orderNumber: order.number,
      orderedAt: isoDateTime(order.orderedAt),
      date,
      refundBy: isoDateTime(refundBy),
      isFree,
      buyer,
      objects,
      items,
    };
    const { legalName, address } = await readSeller(tx);
    await enqueueMail(tx, {
      template: "withdrawal-receipt",
      data: {
        ...data,
        returnTo: address.length > 0 ? [legalName || SHOP_NAME, ...address].join(", ") : "",
      },
      to: buyer.email,
      userId,
    });
    await enqueueMail(tx, {
      template: "withdrawal-notice",
      data,
      to: contactMail(),
      replyTo: buyer.email,
      userId,
    });
    return date;
  });
  return { message: WITHDRAWN, date };
}
