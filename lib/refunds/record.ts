import { and, eq } from "drizzle-orm";
import type { Transaction } from "@/db";
import { orders } from "@/db/schema/orders";
import { refundLines, refunds } from "@/db/schema/refunds";
import { type Act, type Creation, recordChange } from "@/lib/audit/mutations";
import { lockOwned } from "@/lib/backoffice/people";
import { getUnpaidCreditNote } from "@/lib/credit-notes/mutations";
import { fail } from "@/lib/errors/failure";
import type { OrderRow } from "@/lib/orders/mutations";
import { UNKNOWN_ORDER } from "@/lib/orders/texts";
import { claimEnd } from "@/lib/payments/due-rows";
import { transactWithRetries } from "@/lib/payments/transaction";
import { requireOrderRefund } from "./queries";
import { type Refundable, readRefundable } from "./refundable";
import { refundResource } from "./resource";
import { digestOf, piecesByLine } from "./rules";
import type { RefundInput } from "./schemas";
import { attemptRefund } from "./send";
import type { RefundRow } from "./settle";
import {
  ALL_REFUNDED,
  amountAbovePrice,
  amountTooHigh,
  COSTS_NOTHING,
  creditNoteUnpaid,
  KEY_REQUIRED,
  KEY_REUSED,
  NO_SHIPPING_LEFT,
  NOT_PAID_BY_CARD,
  tooManyPieces,
  UNKNOWN_ITEM,
  WAS_FREE,
} from "./texts";

interface NewRefund extends Creation<RefundInput> {
  orderId: number;
  key: string;
}

/** The header `Idempotency-Key` of a refund. @throws 400 */
export function requireKey({ headers }: Request): string {
  const key = headers.get("idempotency-key")?.trim() ?? "";
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw fail.badRequest(KEY_REQUIRED);
  return key;
}

/**
 * Refunds a part of an order's payment. The refund is recorded first, then sent to the provider. Requests
 * with the same key are one refund, however often they are sent. Where the provider is unavailable, the
 * refund stays pending, and is sent later.
 *
 * @throws 404; 409 for more than is left, an order without a payment, a key that was used for another refund,
 *   or an amount that differs from a credit note whose refund has failed; 422 for an item of another order,
 *   or an amount above the price of the refunded items
 */
export async function createRefund(request: NewRefund) {
  const { orderId } = request;
  const refund = await transactWithRetries((tx) => recordRefund(tx, request));
  if (refund.status === "pending" && refund.providerId === null) await attemptRefund(refund);
  return requireOrderRefund({ orderId, id: refund.id });
}

async function recordRefund(
  tx: Transaction,
  { actor, orderId, key, input }: NewRefund,
): Promise<RefundRow> {
  await lockOwned(tx, orders, { id: orderId });
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId));
  if (!order) throw fail.notFound(UNKNOWN_ORDER);
  const requestDigest = digestOf(input);
  const [known] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), eq(refunds.idempotencyKey, key)));
  if (known) {
    if (known.requestDigest !== requestDigest) throw fail.conflict(KEY_REUSED);
    return known;
  }
  const { paymentIntentId } = order;
  if (paymentIntentId === null)
    throw fail.conflict(order.totalCents === 0 ? WAS_FREE : NOT_PAID_BY_CARD);
  const { lines, shippingCents, amountCents } = computeRefund(
    await readRefundable(tx, order),
    input,
  );
  const unpaid = await getUnpaidCreditNote(tx, paymentIntentId);
  if (unpaid && unpaid.totalCents !== amountCents) throw fail.conflict(creditNoteUnpaid(unpaid));
  const [refund] = await tx
    .insert(refunds)
    .values({
      orderId,
      paymentIntentId,
      origin: "staff",
      amountCents,
      shippingCents,
      restock: input.restock,
      reason: input.reason,
      idempotencyKey: key,
      requestDigest,
      attempts: 1,
      // Claimed by this request.
      nextAttemptAt: claimEnd,
      createdBy: actor.id,
    })
    .returning();
  if (!refund) throw new Error("The refund was not written.");
  if (lines.length > 0)
    await tx.insert(refundLines).values(lines.map((line) => ({ ...line, refundId: refund.id })));
  await audit(tx, { actor, order, id: refund.id });
  return refund;
}

async function audit(
  tx: Transaction,
  { actor, order, id }: Act & { order: OrderRow },
): Promise<void> {
  const row = await requireOrderRefund({ orderId: order.id, id, tx });
  // Only the buyer is named besides the actor, so that an erasure finds every person in the entry.
  const {
    status: _,
    author: __,
    origin: ___,
    createdAt: ____,
    ...json
  } = refundResource.toJson(row);
  await recordChange(tx, {
    actor,
    entity: "Refund",
    id,
    before: null,
    after: {
      ...json,
      order: { id: order.id, number: order.number },
      user: order.userId === null ? null : { id: order.userId },
    },
  });
}

/** The lines, shipping and amount of a refund request. @throws 409, 422 */
function computeRefund(refundable: Refundable, input: RefundInput) {
  const remainingCents = refundable.amountCents;
  if (remainingCents <= 0) throw fail.conflict(ALL_REFUNDED);
  const pieces = piecesByLine(input.items);
  const lines = [...pieces].map(([id, quantity]) => {
    const line = refundable.lines.find((each) => each.id === id);
    if (!line) {
      const index = input.items.findIndex(({ item }) => item === id);
      throw fail.violation(`items[${index}].item`, UNKNOWN_ITEM);
    }
    if (quantity > line.left) throw fail.conflict(tooManyPieces(line));
    return { orderLineId: id, quantity, amountCents: quantity * line.unitPriceCents };
  });
  const shippingCents = input.shipping ? refundable.shippingCents : 0;
  if (input.shipping && shippingCents === 0 && lines.length === 0)
    throw fail.conflict(NO_SHIPPING_LEFT);
  const priceCents = lines.reduce((sum, line) => sum + line.amountCents, 0) + shippingCents;
  // A refund of everything that is left pays the money that is left: an earlier goodwill refund has taken a
  // part.
  const isAll =
    shippingCents === refundable.shippingCents &&
    refundable.lines.every((line) => line.left === (pieces.get(line.id) ?? 0));
  const dueCents = isAll ? Math.min(priceCents, remainingCents) : priceCents;
  const amountCents = input.amountCents ?? dueCents;
  if (amountCents === 0) throw fail.conflict(COSTS_NOTHING);
  const isGoodwill = lines.length === 0 && !input.shipping;
  if (!isGoodwill && amountCents > priceCents)
    throw fail.violation("amount", amountAbovePrice(priceCents));
  if (amountCents > remainingCents) throw fail.conflict(amountTooHigh(remainingCents));
  // A deduction reduces the amount for pieces first. Shipping beyond the amount can still be refunded later.
  return { lines, shippingCents: Math.min(shippingCents, amountCents), amountCents };
}
