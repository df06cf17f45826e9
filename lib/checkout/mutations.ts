import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { db, plannedDb, type Transaction } from "@/db";
import { cartItems } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { type CheckoutLine, checkouts, type PostalAddress } from "@/db/schema/checkout";
import { refuseDuplicate } from "@/db/unique";
import { requireAddress } from "@/lib/addresses/queries";
import { BLOCKED } from "@/lib/cart/texts";
import { fail, isFailure } from "@/lib/errors";
import { formatEuros } from "@/lib/money";
import { step } from "@/lib/telemetry/span";
import {
  type Buyer,
  type Checkout,
  type Completion,
  cancelCheckout,
  completeCheckout,
  lockBuyer,
} from "./completion";
import { getCheckout } from "./queries";
import { fingerprintOf, MAX_PAYMENT, MIN_PAYMENT, totalOf } from "./rules";
import { requireSettlement } from "./settlements";
import { cancelPayment, getPayment, openPayment, type Payment, ProviderRefusal } from "./stripe";
import {
  alreadyPaid,
  EMPTY_CART,
  NOT_PAID,
  NOTHING_TO_PAY,
  PRICE_CHANGED,
  PROCESSING,
  PROVIDER_AWAY,
  REFUNDED,
  TOTAL_CHANGED,
  tooLittle,
  tooMuch,
  UNKNOWN_ADDRESS,
  UNKNOWN_ORDER,
  UNKNOWN_PAYMENT,
} from "./texts";
import { transact } from "./transaction";
import { settleAfterAnswer } from "./worker";

/** How often a payment may turn out to be another one's before the customer is asked to wait. */
const ROUNDS = 6;

/** Seconds before the reconciler looks at a new checkout for the first time. */
const FIRST_LOOK = 60;

interface PaymentRequest {
  userId: number;
  shippingAddressId: number;
  billingAddressId: number;
  /** What the customer was shown; undefined where the caller does not say. */
  totalCents?: number | undefined;
}

/** What is to be paid, as it is now. */
interface Frozen extends Buyer {
  lines: CheckoutLine[];
  fingerprint: string;
  totalCents: number;
  shippingAddress: PostalAddress;
  billingAddress: PostalAddress;
}

/**
 * Opens the payment step: freezes the cart, its prices and both addresses as the customer's one
 * pending checkout, with one payment of exactly its total. The same cart gives the same payment
 * again; another cart another payment, once the former is known to be cancelled: a page that still
 * shows the former total cannot pay the new one, nor pay twice.
 *
 * @returns the payment's secret, for the browser
 * @throws 422 for an empty cart, an unknown address, an amount that cannot be paid by card; 409
 *   where a product has left the shop, a price is not the one that was shown, or the payment has
 *   been made already; 503 where the provider is away
 */
export function openCheckout(request: PaymentRequest): Promise<{ clientSecret: string }> {
  return step({ name: "checkout open" }, () => findOrOpen(request));
}

async function findOrOpen(request: PaymentRequest): Promise<{ clientSecret: string }> {
  for (let round = 0; round < ROUNDS; round++) {
    const { checkout, frozen } = await freeze(request);
    const isSame = checkout.fingerprint === frozen.fingerprint;
    const payment = isSame ? await paymentOf(checkout) : await withdraw(checkout);
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
      // Somebody has changed it at the provider: nobody was shown that amount.
      await cancelPayment(payment.id);
      continue;
    }
    if (await refresh({ checkout, frozen })) return { clientSecret: payment.clientSecret };
  }
  throw fail.unavailable(PROVIDER_AWAY);
}

/** The pending checkout and what it should hold: where there is none, a new one that does. */
async function freeze(request: PaymentRequest): Promise<{ checkout: Checkout; frozen: Frozen }> {
  return transact(async (tx) => {
    const { userId } = request;
    const { buyer, cartId } = await lockBuyer(tx, { userId });
    if (!buyer) throw fail.unauthorized();
    const frozen = { ...buyer, ...(await readFrozen(tx, { ...request, cartId })) };
    // Locks the pending one, where there is one. Somebody is about to pay it: it is young again.
    const [checkout] = await tx
      .insert(checkouts)
      .values({
        userId,
        ...frozen,
        nextCheckAt: sql`now() + make_interval(secs => ${FIRST_LOOK})`,
      })
      .onConflictDoUpdate({
        target: checkouts.userId,
        targetWhere: eq(checkouts.status, sql`'pending'`),
        set: { userId, updatedAt: sql`now()` },
      })
      .returning();
    if (!checkout) throw new Error("The checkout was not written.");
    return { checkout, frozen };
  });
}

async function readFrozen(
  tx: Transaction,
  {
    userId,
    cartId,
    shippingAddressId,
    billingAddressId,
    totalCents: shownCents,
  }: PaymentRequest & { cartId: number | null },
): Promise<Omit<Frozen, keyof Buyer>> {
  const lines = cartId === null ? [] : await readLines(tx, { cartId });
  if (lines.length === 0) throw fail.violation("", EMPTY_CART);
  const shippingAddress = await readAddress(tx, {
    userId,
    id: shippingAddressId,
    field: "shippingAddressId",
  });
  const billingAddress =
    billingAddressId === shippingAddressId
      ? shippingAddress
      : await readAddress(tx, { userId, id: billingAddressId, field: "billingAddressId" });
  const totalCents = totalOf(lines);
  if (shownCents !== undefined && shownCents !== totalCents) throw fail.conflict(TOTAL_CHANGED);
  if (totalCents === 0) throw fail.violation("", NOTHING_TO_PAY);
  if (totalCents < MIN_PAYMENT) throw fail.violation("", tooLittle(formatEuros(MIN_PAYMENT)));
  if (totalCents > MAX_PAYMENT) throw fail.violation("", tooMuch(formatEuros(MAX_PAYMENT)));
  return {
    lines,
    fingerprint: fingerprintOf(lines),
    totalCents,
    shippingAddress,
    billingAddress,
  };
}

/** @throws 409 where a line cannot be bought as the customer has seen it */
async function readLines(tx: Transaction, { cartId }: { cartId: number }): Promise<CheckoutLine[]> {
  const rows = await tx
    .select({
      cartItemId: cartItems.id,
      quantity: cartItems.quantity,
      shownPriceCents: sql<number>`coalesce(${cartItems.shownPriceCents}, ${cartItems.seenPriceCents})`,
      product: {
        productId: products.id,
        productType: products.type,
        name: products.name,
        image: products.image,
        unitPriceCents: products.priceCents,
        vatRateBp: products.vatRateBp,
        downloadLink: products.downloadLink,
      },
    })
    .from(cartItems)
    .leftJoin(products, eq(products.id, cartItems.productId))
    .where(eq(cartItems.cartId, cartId))
    .orderBy(asc(cartItems.id));
  const lines = rows.map(({ cartItemId, quantity, product, shownPriceCents }) => {
    if (product === null) throw fail.conflict(BLOCKED);
    return { line: { ...product, cartItemId, quantity }, shownPriceCents };
  });
  if (lines.some(({ line, shownPriceCents }) => line.unitPriceCents !== shownPriceCents))
    throw fail.conflict(PRICE_CHANGED);
  return lines.map(({ line }) => line);
}

async function readAddress(
  tx: Transaction,
  { userId, id, field }: { userId: number; id: number; field: string },
): Promise<PostalAddress> {
  try {
    const { street, city, postalCode } = await requireAddress({ userId, id, tx });
    return { street, city, postalCode };
  } catch (error) {
    throw isFailure(error, "notFound") ? fail.violation(field, UNKNOWN_ADDRESS) : error;
  }
}

// Those who ask for the payment of one checkout at the same time share one call: the provider would
// refuse the others while it works on the first.
const opening = new Map<string, Promise<Payment>>();

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
  let open = opening.get(checkout.id);
  if (!open) {
    open = openPayment(checkout).finally(() => opening.delete(checkout.id));
    opening.set(checkout.id, open);
  }
  let payment: Payment;
  try {
    payment = await open;
  } catch (error) {
    // The provider would repeat this answer for a day: the next attempt needs another checkout.
    if (error instanceof ProviderRefusal) await cancelUnopened(checkout);
    throw error;
  }
  return (await attach({ checkout, payment })) ? payment : null;
}

/** Writes down which payment is the checkout's; false where the checkout has ended meanwhile. */
async function attach({
  checkout,
  payment,
}: {
  checkout: Checkout;
  payment: Payment;
}): Promise<boolean> {
  const [attached] = await plannedDb
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
    // The provider has named the payment of another checkout.
    .catch(
      refuseDuplicate({ checkouts_payment_intent_key: () => fail.unavailable(PROVIDER_AWAY) }),
    );
  if (attached) return true;
  const [other] = await db
    .select({ paymentIntentId: checkouts.paymentIntentId })
    .from(checkouts)
    .where(eq(checkouts.id, checkout.id));
  if (other?.paymentIntentId === payment.id) return false;
  // Nobody knows its secret, and nobody shall: the checkout, or the account, has gone.
  await requireSettlement(db, { paymentIntentId: payment.id, reason: "cancelled", buyer: null });
  settleAfterAnswer();
  return false;
}

async function cancelUnopened({ id }: Checkout): Promise<void> {
  await db
    .update(checkouts)
    .set({ status: "cancelled", updatedAt: sql`now()` })
    .where(
      and(eq(checkouts.id, id), eq(checkouts.status, "pending"), isNull(checkouts.paymentIntentId)),
    );
}

/**
 * Takes back the payment of a cart that is no longer the customer's.
 *
 * @returns the payment as it is now, paid perhaps; null where there is none any more
 */
async function withdraw(checkout: Checkout): Promise<Payment | null> {
  if (checkout.paymentIntentId === null) {
    await cancelUnopened(checkout);
    return null;
  }
  const payment = await cancelPayment(checkout.paymentIntentId);
  if (payment === null) await cancelCheckout(db, { checkoutId: checkout.id });
  // Open still: somebody changed it while it was being cancelled. The next round sees.
  return payment?.state === "open" ? null : payment;
}

/**
 * Brings what does not touch the amount up to date: addresses, names, files. False where the
 * checkout has ended in the meantime.
 */
async function refresh({
  checkout,
  frozen,
}: {
  checkout: Checkout;
  frozen: Frozen;
}): Promise<boolean> {
  const isUnchanged = (Object.keys(frozen) as (keyof Frozen)[]).every(
    (key) => sortedJson(frozen[key]) === sortedJson(checkout[key]),
  );
  if (isUnchanged) return true;
  return transact(async (tx) => {
    const [refreshed] = await tx
      .update(checkouts)
      .set({ ...frozen, updatedAt: sql`now()` })
      .where(
        and(
          eq(checkouts.id, checkout.id),
          eq(checkouts.status, "pending"),
          eq(checkouts.fingerprint, frozen.fingerprint),
        ),
      )
      .returning({ id: checkouts.id });
    return refreshed !== undefined;
  });
}

/** PostgreSQL keeps the keys of JSON in an order of its own. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** What is said to somebody who wants to pay what has been paid. */
function refusalOf(completion: Completion): Error {
  switch (completion.kind) {
    case "completed":
      return fail.conflict(alreadyPaid(completion.order.number));
    case "gone":
      return fail.notFound(UNKNOWN_ORDER);
    case "refused":
      return fail.conflict(REFUNDED);
  }
}

/**
 * Makes an order of what the customer has paid, or finds the one that it has become.
 *
 * @throws 404 for a payment that is unknown or somebody else's, 402 for one that has not succeeded,
 *   409 for one of another amount or of a checkout that has ended: it is given back; 503 where the
 *   provider is away
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
  const { id: checkoutId, status, order } = checkout;
  if (status === "refunded") throw fail.conflict(REFUNDED);
  if (status === "completed") {
    if (order === null) throw refusalOf({ kind: "gone" });
    return { isNew: false, order };
  }
  const payment = await getPayment(paymentIntentId);
  if (payment === null || payment.state !== "paid") throw fail.paymentRequired(NOT_PAID);
  const completion = await completeCheckout({ checkoutId, payment });
  if (completion.kind === "completed") return completion;
  throw refusalOf(completion);
}
