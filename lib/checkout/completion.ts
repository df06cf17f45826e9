import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { carts } from "@/db/schema/cart";
import { type CheckoutLine, checkouts, paymentClosures } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { orders } from "@/db/schema/orders";
import { afterResponse } from "@/lib/http/after-response";
import { isOfPayment } from "@/lib/invoices/versions";
import { expireSales } from "@/lib/orders/mutations";
import { transactWithRetries } from "@/lib/payments/transaction";
import { countOrder, withSpan } from "@/lib/runtime/span";
import { expireStock } from "@/lib/stock/cache";
import { EXCEEDS_STOCK, holdState, UNHELD } from "@/lib/stock/holds";
import { type StockChange, takeFree } from "@/lib/stock/mutations";
import { enqueueReversal } from "./reversals";
import { checkoutWorker } from "./worker";
import { type Checkout, type PaidPayment, SoldOut, writeOrder } from "./write-order";

export type Completion =
  /** The order of the payment, created just now or earlier. */
  | { kind: "completed"; isNew: boolean; order: { id: number; number: string; totalCents: number } }
  /** The payment became an order that was deleted later. */
  | { kind: "deleted" }
  /** The payment cannot become an order, and is refunded. */
  | { kind: "refused"; isSoldOut?: boolean };

/**
 * Creates the order of a checkout that is paid or has nothing to pay. One transaction writes the order, its
 * lines, invoice, sales counts and confirmation mail, and removes the bought pieces from the cart. The
 * browser's request, the provider's event and the reconciler all call this, even concurrently: the first call
 * creates the order, the others return the same order. A payment that cannot become an order is refunded.
 */
export async function completeCheckout(request: CompletionRequest): Promise<Completion> {
  const { checkoutId, payment } = request;
  // Concurrent calls in one process wait here instead of holding a database connection each.
  const key = `${checkoutId} ${payment?.id}`;
  const first = completing.get(key);
  if (first) {
    const completion = await first.catch(() => null);
    // If the first call failed, each waiting call tries by itself.
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

/** The lines and stock changes of a new order, whose cached pages must expire. */
interface WrittenOrder {
  lines: readonly CheckoutLine[];
  changes: readonly StockChange[];
}

/** @throws SoldOut where pieces are missing, unless `isSoldOut` says so already */
async function makeOrder({
  checkoutId,
  payment,
  isSoldOut = false,
}: CompletionRequest & { isSoldOut?: boolean }): Promise<Completion> {
  // By order id, over all attempts: when the response to a commit is lost, the retry finds the order that an
  // earlier attempt of this call has written.
  const written = new Map<number, WrittenOrder>();
  const completion = await transactWithRetries(async (tx) => {
    const checkout = await lockCheckout(tx, checkoutId);
    if (!checkout) return payment ? withoutCheckout(tx, payment) : REFUSED;
    // An order that cost nothing has no payment: a payment that arrives later is not its own.
    const isItsPayment =
      checkout.paymentIntentId === (payment?.id ?? null) ||
      (checkout.paymentIntentId === null && checkout.status !== "completed");
    if (isItsPayment && checkout.status === "completed") return existingOrder(tx, checkout);
    if (!isItsPayment || checkout.status !== "pending" || !isAmountRight({ checkout, payment }))
      return refuse(tx, { checkout, payment, isItsPayment });
    // Without a hold, the pieces may be gone: lock the products and take the pieces now. An order of more
    // pieces than the stock (EXCEEDS_STOCK) waits for no product lock. A checkout refused above takes no
    // pieces.
    const before =
      checkout.holdState === UNHELD && !isSoldOut
        ? await takeFree(tx, { lines: checkout.lines, checkoutId })
        : undefined;
    if (isSoldOut || checkout.holdState === EXCEEDS_STOCK || (before && before.short.length > 0))
      return refuse(tx, { checkout, payment, isItsPayment, isSoldOut: true });
    const { id, changes, results } = await writeOrder(tx, { checkout, payment, before });
    written.set(id, { lines: checkout.lines, changes });
    return { kind: "completed", order: results } as const;
  });
  if (completion.kind === "refused") afterResponse(checkoutWorker.trigger);
  if (completion.kind !== "completed") return completion;
  const { id, number, totalCents } = await completion.order;
  const order = { id, number, totalCents };
  const writtenOrder = written.get(id);
  if (!writtenOrder) return { kind: "completed", isNew: false, order };
  countOrder();
  await Promise.all([
    expireSales(writtenOrder.lines.map(({ productId }) => productId)),
    expireStock(writtenOrder.changes),
  ]);
  return { kind: "completed", isNew: true, order };
}

/** Locks the user and the cart, then the checkout: the same order as everywhere. */
async function lockCheckout(
  tx: Transaction,
  checkoutId: string,
): Promise<(Checkout & { holdState: number | null }) | undefined> {
  const isCheckout = eq(checkouts.id, checkoutId);
  const owner = tx.select({ userId: checkouts.userId }).from(checkouts).where(isCheckout);
  const [, [checkout]] = await Promise.all([
    lockBuyer(tx, { userId: sql`(${owner})` }),
    tx
      .select({ ...getTableColumns(checkouts), holdState })
      .from(checkouts)
      .where(isCheckout)
      .for("update"),
  ]);
  return checkout;
}

export type Buyer = Pick<Checkout, "buyerEmail" | "buyerFirstName" | "buyerLastName">;

/**
 * Locks the account against erasure, and the cart: a payment that is opened while an order is being written
 * waits for it, and then no longer sees the bought pieces. The statement is sent at once, before the caller's
 * later statements.
 *
 * @returns null where the account does not exist
 */
export function lockBuyer(
  tx: Pick<Transaction, "execute">,
  { userId }: { userId: number | SQL },
): Promise<Buyer | null> {
  // The cart's condition reads the first part's result, so that the cart is locked after the account.
  // Counting the carts keeps PostgreSQL from skipping the second part.
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

async function completedAs(tx: Transaction, isOrder: SQL): Promise<Completion | null> {
  const [order] = await tx
    .select({ id: orders.id, number: orders.number, totalCents: orders.totalCents })
    .from(orders)
    .where(isOrder);
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

/** Handles a payment whose checkout is gone: the account was erased before or after the purchase. */
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

/** Gives the money back. Without a payment, nothing changes. */
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

/** Is the payment being refunded because too few pieces were left? */
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
