import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { carts } from "@/db/schema/cart";
import { type CheckoutLine, checkouts, paymentClosures } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { orders } from "@/db/schema/orders";
import { afterResponse } from "@/lib/http/server/after-response";
import { isOfPayment } from "@/lib/invoices/versions";
import { expireSales } from "@/lib/orders/sales-cache";
import { transactWithRetries } from "@/lib/payments/transaction";
import { countOrder, withSpan } from "@/lib/span";
import { expireStock } from "@/lib/stock/cache";
import { holdState, TOO_FEW, UNHELD } from "@/lib/stock/holds";
import { type StockChange, takeFree } from "@/lib/stock/mutations";
import { enqueueReversal } from "./reversals";
import { checkoutWorker } from "./worker";
import { type Checkout, type PaidPayment, SoldOut, writeOrder } from "./write-order";

export type Completion =
  /** The order that the payment has become, just now or earlier. */
  | { kind: "completed"; isNew: boolean; order: { id: number; number: string; totalCents: number } }
  /** It became an order, which has been deleted since. */
  | { kind: "deleted" }
  /** It cannot become an order, and is refunded. */
  | { kind: "refused"; isSoldOut?: boolean };

/**
 * Creates the one order of a checkout that is paid, or has nothing to pay, in one transaction: order, lines, invoice, sales, the
 * rest of the cart, the confirmation mail. Whoever learns of the payment calls it (the browser, the
 * provider, the reconciler), even concurrently: the first creates the order, the others get it.
 * A payment that cannot become an order is refunded.
 */
export async function completeCheckout(request: CompletionRequest): Promise<Completion> {
  const { checkoutId, payment } = request;
  // Concurrent calls in one process wait here instead of holding a database connection each.
  const key = `${checkoutId} ${payment?.id}`;
  const first = completing.get(key);
  if (first) {
    const completion = await first.catch(() => null);
    // Where it failed, each tries by itself.
    if (completion)
      return completion.kind === "completed" ? { ...completion, isNew: false } : completion;
  }
  const attempt = complete(request).finally(() => {
    if (completing.get(key) === attempt) completing.delete(key);
  });
  if (!completing.has(key)) completing.set(key, attempt);
  return attempt;
}

interface CompletionRequest {
  checkoutId: string;
  /** Null for a checkout that costs nothing. */
  payment: PaidPayment | null;
}

const completing = new Map<string, Promise<Completion>>();

function complete(request: CompletionRequest): Promise<Completion> {
  return withSpan({ name: "checkout complete" }, () =>
    makeOrder(request).catch((error) => {
      if (error instanceof SoldOut) return makeOrder({ ...request, isSoldOut: true });
      throw error;
    }),
  );
}

/** What an order has changed that pages show. */
interface Bought {
  lines: readonly CheckoutLine[];
  changes: readonly StockChange[];
}

/** @throws SoldOut where there are too few pieces, unless that is known already */
async function makeOrder({
  checkoutId,
  payment,
  isSoldOut = false,
}: CompletionRequest & { isSoldOut?: boolean }): Promise<Completion> {
  // By attempt: the response to a commit may have been lost.
  const written = new Map<number, Bought>();
  const completion = await transactWithRetries(async (tx) => {
    const checkout = await lockCheckout(tx, checkoutId);
    if (!checkout) return payment ? withoutCheckout(tx, payment) : REFUSED;
    // An order that cost nothing has no payment, whatever comes in for it later.
    const isItsPayment =
      checkout.paymentIntentId === (payment?.id ?? null) ||
      (checkout.paymentIntentId === null && checkout.status !== "completed");
    if (isItsPayment && checkout.status === "completed") return existingOrder(tx, checkout);
    if (!isItsPayment || checkout.status !== "pending" || !isAmountRight({ checkout, payment }))
      return refuse(tx, { checkout, payment, isItsPayment });
    // Without a hold it may well be too late. Who wants more than there are waits for no product's lock, and what
    // is refused in any case takes nothing.
    const before =
      checkout.holdState === UNHELD && !isSoldOut
        ? await takeFree(tx, { lines: checkout.lines, checkoutId })
        : undefined;
    if (isSoldOut || checkout.holdState === TOO_FEW || (before && before.short.length > 0))
      return refuse(tx, { checkout, payment, isItsPayment, isSoldOut: true });
    const { id, changes, results } = await writeOrder(tx, { checkout, payment, before });
    written.set(id, { lines: checkout.lines, changes });
    return { kind: "completed", order: results } as const;
  });
  if (completion.kind === "refused") afterResponse(checkoutWorker.trigger);
  if (completion.kind !== "completed") return completion;
  const { id, number, totalCents } = await completion.order;
  const order = { id, number, totalCents };
  const bought = written.get(id);
  if (!bought) return { kind: "completed", isNew: false, order };
  countOrder();
  await Promise.all([
    expireSales(bought.lines.map(({ productId }) => productId)),
    expireStock(bought.changes),
  ]);
  return { kind: "completed", isNew: true, order };
}

/** Locks the checkout, and before it the user and the cart, as everywhere. */
async function lockCheckout(
  tx: Transaction,
  checkoutId: string,
): Promise<(Checkout & { holdState: number | null }) | undefined> {
  const isIt = eq(checkouts.id, checkoutId);
  const owner = tx.select({ userId: checkouts.userId }).from(checkouts).where(isIt);
  const [, [checkout]] = await Promise.all([
    lockBuyer(tx, { userId: sql`(${owner})` }),
    tx
      .select({ ...getTableColumns(checkouts), holdState })
      .from(checkouts)
      .where(isIt)
      .for("update"),
  ]);
  return checkout;
}

/** The buyer's columns of a checkout. */
export type Buyer = Pick<Checkout, "buyerEmail" | "buyerFirstName" | "buyerLastName">;

/**
 * Locks the account against erasure, and the cart against changes by others who lock it, too. The
 * statement is sent at once, before those of the caller that follow.
 *
 * @returns null where there is no such account
 */
export function lockBuyer(
  tx: Pick<Transaction, "execute">,
  { userId }: { userId: number | SQL },
): Promise<Buyer | null> {
  // The cart is found by the result of the first part, so that it is locked after the account, and
  // counted, so that PostgreSQL does not leave it out.
  const locked = tx.execute<{ email: string; first_name: string; last_name: string }>(sql`
    with buyer as materialized (
      select id, email, first_name, last_name from ${users} where id = ${userId} for key share
    ), cart as materialized (
      select id from ${carts} where user_id = (select id from buyer) for update
    )
    select email, first_name, last_name, (select count(*) from cart) from buyer`);
  return locked.then(([row]) =>
    row
      ? { buyerEmail: row.email, buyerFirstName: row.first_name, buyerLastName: row.last_name }
      : null,
  );
}

function isAmountRight({
  checkout: { totalCents },
  payment,
}: {
  checkout: Checkout;
  payment: PaidPayment | null;
}): boolean {
  if (payment === null) return totalCents === 0;
  return payment.receivedCents - payment.refundedCents === totalCents && payment.currency === "eur";
}

async function existingOrder(tx: Transaction, { orderId }: Checkout): Promise<Completion> {
  const existing = orderId === null ? null : await completedAs(tx, eq(orders.id, orderId));
  return existing ?? { kind: "deleted" };
}

async function completedAs(tx: Transaction, isIt: SQL): Promise<Completion | null> {
  const [order] = await tx
    .select({ id: orders.id, number: orders.number, totalCents: orders.totalCents })
    .from(orders)
    .where(isIt);
  return order ? { kind: "completed", isNew: false, order } : null;
}

/** The order of a payment whose checkout was deleted: orders and invoices are kept. */
async function findOrder(tx: Transaction, paymentIntentId: string): Promise<Completion | null> {
  const existing = await completedAs(tx, eq(orders.paymentIntentId, paymentIntentId));
  if (existing) return existing;
  const [invoice] = await tx
    .select({ id: invoices.id })
    .from(invoices)
    .where(isOfPayment(paymentIntentId));
  return invoice ? { kind: "deleted" } : null;
}

/** What becomes of a payment whose checkout is gone: its account has been erased, after the purchase or before. */
async function withoutCheckout(tx: Transaction, payment: PaidPayment): Promise<Completion> {
  const existing = await findOrder(tx, payment.id);
  if (existing) return existing;
  await enqueueReversal(tx, { paymentIntentId: payment.id, reason: "unknown", buyer: null });
  return REFUSED;
}

const REFUSED: Completion = { kind: "refused" };

interface Refusal {
  checkout: Checkout;
  payment: PaidPayment | null;
  isItsPayment: boolean;
  isSoldOut?: boolean;
}

/** Gives the money back; where there is none, nothing changes. */
async function refuse(tx: Transaction, refusal: Refusal): Promise<Completion> {
  const { payment, isSoldOut = false } = refusal;
  if (payment === null) return { kind: "refused", isSoldOut };
  await refusePayment(tx, { ...refusal, payment });
  return { kind: "refused", isSoldOut: isSoldOut || (await isKnownSoldOut(tx, payment)) };
}

async function refusePayment(
  tx: Transaction,
  { checkout, payment, isItsPayment, isSoldOut = false }: Refusal & { payment: PaidPayment },
): Promise<void> {
  const { userId, buyerEmail, status } = checkout;
  const isPending = isItsPayment && status === "pending";
  const ofPending = isSoldOut ? "sold-out" : "amount";
  await enqueueReversal(tx, {
    paymentIntentId: payment.id,
    reason: isPending ? ofPending : isItsPayment ? "cancelled" : "unknown",
    buyer: { email: buyerEmail, userId },
  });
  if (!isPending) return;
  await tx
    .update(checkouts)
    .set({ status: "cancelled", paymentIntentId: payment.id, updatedAt: sql`now()` })
    .where(eq(checkouts.id, checkout.id));
}

/** Is a payment on its way back for the reason that there were too few pieces? */
async function isKnownSoldOut(tx: Transaction, { id }: PaidPayment): Promise<boolean> {
  const [closure] = await tx
    .select({ reason: paymentClosures.reason })
    .from(paymentClosures)
    .where(eq(paymentClosures.paymentIntentId, id));
  return closure?.reason === "sold-out";
}

/**
 * Marks a pending checkout as cancelled, once its payment is cancelled at the provider.
 *
 * @param only a further condition
 * @returns whether it was marked
 */
export async function cancelCheckout(
  tx: Pick<Transaction, "update">,
  { checkoutId, only }: { checkoutId: string; only?: SQL | undefined },
): Promise<boolean> {
  const cancelled = await tx
    .update(checkouts)
    .set({ status: "cancelled", updatedAt: sql`now()` })
    .where(and(eq(checkouts.id, checkoutId), eq(checkouts.status, "pending"), only))
    .returning({ id: checkouts.id });
  return cancelled.length > 0;
}
