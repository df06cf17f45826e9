import { and, eq, isNull, or, sql } from "drizzle-orm";
import { db } from "@/db";
import { checkouts } from "@/db/schema/checkout";
import { secondsFromNow } from "@/db/time";
import { refuseDuplicate } from "@/db/unique";
import { fail } from "@/lib/errors/failure";
import { afterResponse } from "@/lib/http/after-response";
import { rateLimiter } from "@/lib/http/rate-limit";
import {
  cancelPayment,
  getPayment,
  openPayment,
  type Payment,
} from "@/lib/payments/payment-intents";
import { ProviderRefusal } from "@/lib/payments/stripe-client";
import { PROVIDER_AWAY } from "@/lib/payments/texts";
import { transactWithRetries } from "@/lib/payments/transaction";
import { withSpan } from "@/lib/runtime/span";
import { readIsVatExempt, readMissingToSell } from "@/lib/seller/queries";
import { listActiveMethods } from "@/lib/shipping-methods/queries";
import { holdStock } from "@/lib/stock/holds";
import { onlyLeft } from "@/lib/stock/texts";
import { type Completion, cancelCheckout, completeCheckout, lockBuyer } from "./completion";
import { getCheckout } from "./queries";
import { enqueueReversal } from "./reversals";
import { freeCheckoutId, freePaymentId } from "./rules";
import type { OpenedPayment } from "./schemas";
import {
  type CheckoutSnapshot,
  type PaymentRequest,
  readAddresses,
  readLines,
  refreshSnapshot,
  snapshotOf,
} from "./snapshot";
import {
  alreadyPaid,
  FREE_CHANGED,
  FREE_SOLD_OUT,
  NOT_PAID,
  PROCESSING,
  REFUNDED,
  SELLER_INCOMPLETE,
  SOLD_OUT,
  UNKNOWN_ORDER,
  UNKNOWN_PAYMENT,
} from "./texts";
import { checkoutWorker } from "./worker";
import type { Checkout } from "./write-order";

/** Attempts at a payment of the present cart before the customer is asked to wait. */
const MAX_ATTEMPTS = 6;

/** Seconds before the reconciler checks a new checkout for the first time. */
const FIRST_CHECK_DELAY = 60;

/** Limits orders that cost nothing: no payment limits them. */
const freeOrders = rateLimiter({ name: "free-orders", points: 20, duration: 3600 });

/**
 * Opens the payment step: stores a snapshot of the cart, its prices and both addresses as the customer's one
 * pending checkout, with one payment of exactly its total. The same cart gives the same payment again. A
 * changed cart gives a new payment once the old payment is known to be cancelled: a page that still shows the
 * old total can neither pay the new total nor pay twice. A cart that costs nothing has no payment.
 *
 * @returns the payment's secret, for the browser
 * @throws 422 for an empty cart, an unknown address or one that is not served, an unfit shipping method, an
 *   amount that cannot be paid by card, more pieces than are free; 409 where a product has left the shop, a
 *   price differs from the price shown, the payment has been made already, or the seller's legal details are
 *   missing and a real card would be charged; 503 where the provider is unavailable
 */
export function openCheckout(request: PaymentRequest): Promise<OpenedPayment> {
  return withSpan({ name: "checkout open" }, () => findOrOpen(request));
}

async function findOrOpen(request: PaymentRequest): Promise<OpenedPayment> {
  if ((await readMissingToSell()).length > 0) throw fail.conflict(SELLER_INCOMPLETE);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { checkout, snapshot } = await findOrInsertCheckout(request);
    const isSame = checkout.fingerprint === snapshot.fingerprint;
    if (isSame && checkout.totalCents === 0) {
      if (await refreshSnapshot({ checkout, snapshot })) return nothingToPay(checkout);
      continue;
    }
    const payment = isSame ? await paymentOf(checkout) : await cancelStalePayment(checkout);
    if (payment === null) continue;
    switch (payment.state) {
      case "paid":
        throw refusalOf(await completeCheckout({ checkoutId: checkout.id, payment }));
      case "processing":
        throw fail.conflict(PROCESSING);
      case "cancelled":
        await cancelCheckout(db, { checkoutId: checkout.id });
        continue;
    }
    const isRight = payment.amountCents === checkout.totalCents && payment.currency === "eur";
    if (!isRight) {
      // The amount was changed at the provider: the customer has not seen it.
      await cancelPayment(payment.id);
      continue;
    }
    if (await refreshSnapshot({ checkout, snapshot }))
      return { clientSecret: payment.clientSecret };
  }
  throw fail.unavailable(PROVIDER_AWAY);
}

/** A free order in the shape of a payment: the provider refuses a client that tries to pay it. */
function nothingToPay({ id }: Checkout): OpenedPayment {
  const paymentIntentId = freePaymentId(id);
  return { clientSecret: `${paymentIntentId}_secret_${id}`, paymentIntentId };
}

/** The pending checkout, created if missing, with a hold on its pieces, and the snapshot it should store. */
function findOrInsertCheckout(
  request: PaymentRequest,
): Promise<{ checkout: Checkout; snapshot: CheckoutSnapshot }> {
  const { userId } = request;
  return transactWithRetries(async (tx) => {
    const [buyer, lines, addresses, methods, isVatExempt] = await Promise.all([
      lockBuyer(tx, { userId }),
      readLines(tx, { userId }),
      readAddresses(tx, request),
      listActiveMethods(tx),
      readIsVatExempt(tx),
    ]);
    if (!buyer) throw fail.unauthorized();
    const read = { lines, addresses, methods, isVatExempt };
    const snapshot = { ...buyer, ...snapshotOf({ ...request, ...read }) };
    // The upsert locks an existing pending checkout. Its age restarts, since the customer is about to pay it.
    const written = tx
      .insert(checkouts)
      .values({
        userId,
        ...snapshot,
        nextCheckAt: secondsFromNow(FIRST_CHECK_DELAY),
      })
      .onConflictDoUpdate({
        target: checkouts.userId,
        targetWhere: eq(checkouts.status, sql`'pending'`),
        set: { userId, updatedAt: sql`now()` },
      })
      .returning()
      .execute();
    const { fingerprint } = snapshot;
    const counted = lines.flatMap(({ product, quantity }) =>
      product && product.free !== null ? [{ productId: product.productId, quantity }] : [],
    );
    const [[checkout], [shortage]] = await Promise.all([
      written,
      holdStock(tx, { userId, fingerprint, lines: counted }),
    ]);
    if (shortage) throw fail.violation("", onlyLeft(shortage.free));
    if (!checkout) throw new Error("The checkout was not written.");
    return { checkout, snapshot };
  });
}

// Concurrent requests for the payment of one checkout share one call to the provider: it refuses a second
// call while the first is running.
const openingPayments = new Map<string, Promise<Payment>>();

/** The checkout's payment, opened if missing; null where the checkout has ended in the meantime. */
async function paymentOf(checkout: Checkout): Promise<Payment | null> {
  if (checkout.paymentIntentId !== null) {
    const known = await getPayment(checkout.paymentIntentId);
    if (known === null) await cancelCheckout(db, { checkoutId: checkout.id });
    return known;
  }
  let open = openingPayments.get(checkout.id);
  if (!open) {
    open = openPayment(checkout).finally(() => openingPayments.delete(checkout.id));
    openingPayments.set(checkout.id, open);
  }
  let payment: Payment;
  try {
    payment = await open;
  } catch (error) {
    // The provider repeats this response for a day: the next attempt needs another checkout.
    if (error instanceof ProviderRefusal) await cancelUnopened(checkout);
    throw error;
  }
  return (await attachPayment({ checkout, payment })) ? payment : null;
}

/** Stores the checkout's payment; false where the checkout has ended meanwhile. */
async function attachPayment({
  checkout,
  payment,
}: {
  checkout: Checkout;
  payment: Payment;
}): Promise<boolean> {
  const [attached] = await db
    .update(checkouts)
    .set({ paymentIntentId: payment.id, updatedAt: sql`now()` })
    .where(
      and(
        eq(checkouts.id, checkout.id),
        eq(checkouts.status, "pending"),
        or(isNull(checkouts.paymentIntentId), eq(checkouts.paymentIntentId, payment.id)),
      ),
    )
    .returning({ id: checkouts.id })
    // The payment id is already stored for another checkout.
    .catch(
      refuseDuplicate({ checkouts_payment_intent_key: () => fail.unavailable(PROVIDER_AWAY) }),
    );
  if (attached) return true;
  const [other] = await db
    .select({ paymentIntentId: checkouts.paymentIntentId })
    .from(checkouts)
    .where(eq(checkouts.id, checkout.id));
  if (other?.paymentIntentId === payment.id) return false;
  // The checkout or the account was deleted: nobody may learn the payment's secret.
  await enqueueReversal(db, { paymentIntentId: payment.id, reason: "cancelled", buyer: null });
  afterResponse(checkoutWorker.trigger);
  return false;
}

const cancelUnopened = ({ id }: Checkout) =>
  cancelCheckout(db, { checkoutId: id, only: isNull(checkouts.paymentIntentId) });

/**
 * Cancels the payment of a cart that has changed since.
 *
 * @returns the payment in its present state, perhaps paid; null where none is left to pay
 */
async function cancelStalePayment(checkout: Checkout): Promise<Payment | null> {
  if (checkout.paymentIntentId === null) {
    await cancelUnopened(checkout);
    return null;
  }
  const payment = await cancelPayment(checkout.paymentIntentId);
  if (payment === null) await cancelCheckout(db, { checkoutId: checkout.id });
  // Still open: the payment changed while it was being cancelled. The next attempt decides.
  return payment?.state === "open" ? null : payment;
}

/** The error for a customer whose payment was already made, or can no longer become an order. */
function refusalOf(completion: Completion, { isFree = false } = {}): Error {
  switch (completion.kind) {
    case "completed":
      return fail.conflict(alreadyPaid(completion.order.number));
    case "deleted":
      return fail.notFound(UNKNOWN_ORDER);
    case "refused":
      if (isFree) return fail.conflict(completion.isSoldOut ? FREE_SOLD_OUT : FREE_CHANGED);
      return fail.conflict(completion.isSoldOut ? SOLD_OUT : REFUNDED);
  }
}

/**
 * Creates the order of a payment, or of a checkout that costs nothing, or finds the order created earlier.
 *
 * @throws 404 for an unknown payment or another customer's, 402 for a payment that has not succeeded, 409 for
 *   a payment of another amount or of a checkout that has ended (it is refunded), 429 for too many orders
 *   that cost nothing, 503 where the provider is unavailable
 */
export async function confirmOrder({
  userId,
  paymentIntentId,
}: {
  userId: number;
  paymentIntentId: string;
}): Promise<{ isNew: boolean; order: { id: number; totalCents: number } }> {
  const checkout = await getCheckout({ userId, paymentIntentId });
  if (!checkout) throw fail.notFound(UNKNOWN_PAYMENT);
  const { id: checkoutId, status, order, isSoldOut } = checkout;
  if (isSoldOut || status === "refunded") throw refusalOf({ kind: "refused", isSoldOut });
  if (status === "completed") {
    if (order === null) throw refusalOf({ kind: "deleted" });
    return { isNew: false, order };
  }
  const isFree = freeCheckoutId(paymentIntentId) !== null;
  if (isFree) await freeOrders.consume(String(userId));
  const payment = isFree ? null : await getPayment(paymentIntentId);
  if (!isFree && payment?.state !== "paid") throw fail.paymentRequired(NOT_PAID);
  const completion = await completeCheckout({ checkoutId, payment });
  if (completion.kind === "completed") return completion;
  throw refusalOf(completion, { isFree });
}
