import { and, eq, isNull, or, sql } from "drizzle-orm";
import { db } from "@/db";
import { checkouts } from "@/db/schema/checkout";
import { secondsFromNow } from "@/db/time";
import { refuseDuplicate } from "@/db/unique";
import { fail } from "@/lib/errors";
import { rateLimiter } from "@/lib/http/rate-limit";
import { afterResponse } from "@/lib/http/server/after-response";
import { ProviderRefusal } from "@/lib/payments/provider";
import { cancelPayment, getPayment, openPayment, type Payment } from "@/lib/payments/stripe";
import { PROVIDER_AWAY } from "@/lib/payments/texts";
import { transactWithRetries } from "@/lib/payments/transaction";
import { readIsVatExempt, readMissingToSell } from "@/lib/seller/queries";
import { listActiveMethods } from "@/lib/shipping/queries";
import { withSpan } from "@/lib/span";
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

/** Nothing else bounds them: they cost nothing. */
const freeOrders = rateLimiter({ name: "free-orders", points: 20, duration: 3600 });

/**
 * Opens the payment step: stores a snapshot of the cart, its prices and both addresses as the
 * customer's one pending checkout, with one payment of exactly its total. The same cart gives the
 * same payment again; another cart gives another payment, once the former is known to be cancelled:
 * a page that still shows the former total can neither pay the new one nor pay twice. A cart that costs
 * nothing has no payment.
 *
 * @returns the payment's secret, for the browser
 * @throws 422 for an empty cart, an unknown address or one that is not served, an unfit shipping method, an
 *   amount that cannot be paid by card, more pieces than others leave; 409 where a product has left the shop,
 *   a price is not the one that was shown, the payment has been made already, or a real card would be charged
 *   by a seller whom nobody knows; 503 where the provider is unavailable
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
      // It was changed at the provider: the customer has not seen that amount.
      await cancelPayment(payment.id);
      continue;
    }
    if (await refreshSnapshot({ checkout, snapshot }))
      return { clientSecret: payment.clientSecret };
  }
  throw fail.unavailable(PROVIDER_AWAY);
}

/** In the shape of a payment, so that a client that expects one is refused by the provider. */
function nothingToPay({ id }: Checkout): OpenedPayment {
  const paymentIntentId = freePaymentId(id);
  return { clientSecret: `${paymentIntentId}_secret_${id}`, paymentIntentId };
}

/** The pending checkout, new where there is none, with its pieces, and the snapshot that it should hold. */
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
    // The update locks a pending checkout. The customer is about to pay it, so its age starts anew.
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

// Concurrent requests for the payment of one checkout share one call: the provider would refuse the
// others while it works on the first.
const openingPayments = new Map<string, Promise<Payment>>();

/**
 * The payment of a checkout, opened where there is none yet; null where the checkout has ended in
 * the meantime.
 */
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
    // The payment belongs to another checkout.
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
 * @returns the payment as it is now, perhaps paid; null where there is none left
 */
async function cancelStalePayment(checkout: Checkout): Promise<Payment | null> {
  if (checkout.paymentIntentId === null) {
    await cancelUnopened(checkout);
    return null;
  }
  const payment = await cancelPayment(checkout.paymentIntentId);
  if (payment === null) await cancelCheckout(db, { checkoutId: checkout.id });
  // Still open: it changed while it was being cancelled. The next attempt decides.
  return payment?.state === "open" ? null : payment;
}

/** The refusal for a customer who wants to pay what has been paid already, or cannot become an order any more. */
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
 * Creates the order of a payment, or of a checkout that costs nothing, or finds the one that it has become.
 *
 * @throws 404 for a payment that is unknown or somebody else's, 402 for one that has not succeeded,
 *   409 for one of another amount or of a checkout that has ended: it is refunded; 429 for too many orders
 *   that cost nothing; 503 where the provider is unavailable
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
