import { eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { piecesOf } from "@/db/count-sales";
import { orderLines, orders } from "@/db/schema/orders";
import { refundLines, refunds } from "@/db/schema/refunds";
import { secondsFromNow } from "@/db/time";
import { lockOwned } from "@/lib/backoffice/people";
import { createCreditNote, findCreditNote } from "@/lib/credit-notes/mutations";
import { contactMail } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { sumOfLines } from "@/lib/invoices/rules";
import { enqueueMail } from "@/lib/mail/outbox";
import type { OrderRow } from "@/lib/orders/mutations";
import { billingDetailsOf } from "@/lib/orders/rules";
import type { ProviderRefund } from "@/lib/payments/provider-refunds";
import { transactWithRetries } from "@/lib/payments/transaction";
import { shippingLines } from "@/lib/shipping-methods/rules";
import { expireStock } from "@/lib/stock/cache";
import { type Lines, returnStock, type StockChange } from "@/lib/stock/mutations";
import { settleOrder } from "./settle-order";
import { BY_BANK, BY_PROVIDER, DEDUCTION, DISPUTE_WON, failureText, GOODWILL } from "./texts";

export type RefundRow = typeof refunds.$inferSelect;

/** The outcome of a refund, as the provider reports it. */
export type Outcome =
  | { state: "pending" | "succeeded"; providerId: string }
  | { state: "failed"; providerId: string | null; failure: string };

export function outcomeOf({ kind, id, state, failureCode }: ProviderRefund): Outcome {
  if (state !== "failed") return { state, providerId: id };
  const failure = kind === "dispute" ? DISPUTE_WON : failureText(failureCode);
  return { state, providerId: id, failure };
}

/** Seconds until a refund that the bank has not decided is checked again; events may report it earlier. */
const DECISION_CHECK = 6 * 3600;

/**
 * Records the outcome of a refund and all its consequences in one transaction. A second call with the same
 * outcome changes nothing.
 *
 * @returns the refund afterwards
 */
export async function settleRefund({
  id,
  outcome,
}: {
  id: number;
  outcome: Outcome;
}): Promise<RefundRow> {
  let restocked: StockChange[] = [];
  const settled = await transactWithRetries(async (tx) => {
    restocked = [];
    const { refund, order } = await lockRefund(tx, id);
    if (isOutdated({ refund, outcome })) return refund;
    const row = await writeOutcome(tx, { refund, outcome });
    if (refund.status === outcome.state) return row;
    if (outcome.state === "succeeded") restocked = await succeed(tx, { refund: row, order });
    else if (refund.status === "succeeded")
      // The bank has refused a refund that the provider had called done: the shop has the money again.
      log.error({ refund: id }, "a refund failed after it had succeeded: it has to be made again");
    if (order) await settleOrder(tx, { refund: row, order });
    return row;
  });
  if (restocked.length > 0) await expireStock(restocked);
  return settled;
}

/**
 * Is the outcome older than the row? A refund that has succeeded or failed does not become pending again. A
 * refund that has failed at the provider stays failed. A refund that has succeeded fails only if the provider
 * reports the failure under the same provider id.
 */
function isOutdated({ refund, outcome }: { refund: RefundRow; outcome: Outcome }): boolean {
  const { status, providerId } = refund;
  if (status === "pending" || status === outcome.state) return false;
  if (outcome.state === "pending") return true;
  return status === "failed"
    ? providerId === outcome.providerId
    : outcome.providerId === null || outcome.providerId !== providerId;
}

/** Locks in this order: the buyer and the refund's author, the order, the refund. */
async function lockRefund(
  tx: Transaction,
  id: number,
): Promise<{ refund: RefundRow; order: OrderRow | null }> {
  const isRefund = eq(refunds.id, id);
  const [known] = await tx
    .select({ orderId: refunds.orderId, createdBy: refunds.createdBy })
    .from(refunds)
    .where(isRefund);
  if (known?.orderId) await lockOwned(tx, orders, { id: known.orderId, userId: known.createdBy });
  const [refund] = await tx.select().from(refunds).where(isRefund).for("update");
  if (!refund) throw new Error(`Refund ${id} does not exist.`);
  const [order] =
    refund.orderId === null
      ? []
      : await tx.select().from(orders).where(eq(orders.id, refund.orderId));
  return { refund, order: order ?? null };
}

async function writeOutcome(
  tx: Transaction,
  { refund, outcome }: { refund: RefundRow; outcome: Outcome },
): Promise<RefundRow> {
  const isSame = refund.status === outcome.state;
  const [row] = await tx
    .update(refunds)
    .set({
      status: outcome.state,
      providerId: outcome.providerId ?? refund.providerId,
      failure: outcome.state === "failed" ? outcome.failure : null,
      ...(outcome.state === "pending" && {
        nextAttemptAt: secondsFromNow(DECISION_CHECK),
      }),
      ...(!isSame && { settledAt: outcome.state === "pending" ? null : sql`now()` }),
    })
    .where(eq(refunds.id, refund.id))
    .returning();
  if (!row) throw new Error(`Refund ${refund.id} was not written.`);
  return row;
}

async function succeed(
  tx: Transaction,
  { refund, order }: { refund: RefundRow; order: OrderRow | null },
): Promise<StockChange[]> {
  const lines = await readLines(tx, refund.id);
  const restocked = refund.restock && order ? await restock(tx, { refund, order, lines }) : [];
  const refundedLines = lines.map(({ productId: _, productType: __, ...line }) => line);
  const shipping = await shippingPart(tx, { refund, order });
  const named = [...refundedLines, ...shipping];
  const restCents = refund.amountCents - sumOfLines(named);
  const { id, recipient } = await createCreditNote(tx, {
    refund,
    order: order && { id: order.id, userId: order.userId, billingDetails: billingDetailsOf(order) },
    lines: named,
    unassigned: { cents: restCents, name: restCents < 0 ? DEDUCTION : NAMES[refund.origin] },
  });
  if (recipient)
    await enqueueMail(tx, {
      template: "credit-note",
      data: { creditNoteId: id },
      to: recipient.email,
      replyTo: contactMail(),
      ...(recipient.userId !== null && { userId: recipient.userId }),
      dedupeKey: `credit-note:${id}`,
    });
  return restocked;
}

const readLines = (tx: Transaction, refundId: number) =>
  tx
    .select({
      name: orderLines.name,
      productId: orderLines.productId,
      productType: orderLines.productType,
      quantity: refundLines.quantity,
      unitPriceCents: orderLines.unitPriceCents,
      vatRateBp: orderLines.vatRateBp,
    })
    .from(refundLines)
    .innerJoin(orderLines, eq(orderLines.id, refundLines.orderLineId))
    .where(eq(refundLines.refundId, refundId))
    .orderBy(orderLines.id);

/** Puts the pieces back, less the pieces put back by the failed refund that this refund replaces, if any. */
async function restock(
  tx: Transaction,
  { refund, order, lines }: { refund: RefundRow; order: OrderRow; lines: Lines },
): Promise<StockChange[]> {
  const replaced = (await findCreditNote(tx, refund))?.refundId;
  const before = replaced ? await readRestocked(tx, replaced) : [];
  const pieces = piecesOf([
    ...lines,
    ...before.map(({ productId, quantity }) => ({ productId, quantity: -quantity })),
  ]);
  const missing = [...pieces].map(([productId, count]) => ({
    productId,
    quantity: Math.max(0, count),
  }));
  return returnStock(tx, { orderId: order.id, lines: missing });
}

async function readRestocked(tx: Transaction, refundId: number): Promise<Lines> {
  const [refund] = await tx
    .select({ restock: refunds.restock })
    .from(refunds)
    .where(eq(refunds.id, refundId));
  return refund?.restock ? readLines(tx, refundId) : [];
}

const NAMES = { staff: GOODWILL, provider: BY_PROVIDER, dispute: BY_BANK } as const;

/** The refund's shipping as lines, one per VAT rate of the goods. */
async function shippingPart(
  tx: Transaction,
  { refund, order }: { refund: RefundRow; order: OrderRow | null },
) {
  if (refund.shippingCents === 0 || !order) return [];
  const goods = await tx
    .select({
      productType: orderLines.productType,
      quantity: orderLines.quantity,
      unitPriceCents: orderLines.unitPriceCents,
      vatRateBp: orderLines.vatRateBp,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id));
  if (!goods.some(({ productType }) => productType === "physical")) return [];
  return shippingLines({
    name: order.shippingMethod ?? "",
    priceCents: refund.shippingCents,
    goods,
  });
}
