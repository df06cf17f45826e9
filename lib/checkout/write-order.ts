import { eq, sql } from "drizzle-orm";
import { sentWithCommit, type Transaction } from "@/db";
import { countSales } from "@/db/count-sales";
import { cartItems, carts } from "@/db/schema/cart";
import { checkouts } from "@/db/schema/checkout";
import { createInvoice, getSellerAndTerms } from "@/lib/invoices/mutations";
import { enqueueMail } from "@/lib/mail/outbox";
import { insertOrder, insertOrderLines, type OrderRow } from "@/lib/orders/mutations";
import type { Payment } from "@/lib/payments/payment-intents";
import { shippingLines } from "@/lib/shipping-methods/rules";
import { vatNotesAt, vatPlaceOf } from "@/lib/shop/vat-of-place";
import { recordSale, type StockChange, type Taking, takeUnheld } from "@/lib/stock/mutations";

export type Checkout = typeof checkouts.$inferSelect;

/** Somebody else has the pieces: the transaction is rolled back. */
export class SoldOut extends Error {}

/** A payment that is known to have succeeded. */
export type PaidPayment = Pick<Payment, "id" | "receivedCents" | "refundedCents" | "currency">;

/**
 * Writes an order and everything that belongs to it. All other orders wait while the order number and the
 * invoice number are locked. The numbers are therefore taken in the last statements, which are sent together
 * with COMMIT: no round trip passes while they are locked.
 *
 * @param payment null where there was nothing to pay
 * @returns the order's id, and a promise of the order, resolved once the transaction has ended
 * @throws SoldOut where there are too few pieces
 */
export async function writeOrder(
  tx: Transaction,
  {
    checkout,
    payment,
    before,
  }: { checkout: Checkout; payment: PaidPayment | null; before: Taking | undefined },
): Promise<{ id: number; changes: StockChange[]; results: Promise<OrderRow> }> {
  const { userId, lines, shipping, totalCents, shippingAddress, billingAddress } = checkout;
  const { isVatExempt } = checkout;
  const [present, { seller, terms }, { orderId, invoiceId }] = await Promise.all([
    countSales(tx, { lines, ...(!before && { checkoutId: checkout.id }) }),
    getSellerAndTerms(tx),
    reserveIds(tx),
    removeFromCart(tx, { userId, lines }),
  ]);
  const { taken, changes, short } = await takeUnheld(tx, {
    lines,
    counted: present,
    checkoutId: checkout.id,
    ...(before && { before }),
  });
  if (short.length > 0) throw new SoldOut();
  const date = new Date();
  const paymentId = payment?.id ?? null;
  const buyer = {
    userId,
    email: checkout.buyerEmail,
    firstName: checkout.buyerFirstName,
    lastName: checkout.buyerLastName,
  };
  const purchase = { buyer, lines, totalCents, isVatExempt, shippingAddress, billingAddress };
  const sent = Promise.all([
    insertOrder(tx, {
      ...purchase,
      id: orderId,
      shipping,
      paymentIntentId: paymentId,
      orderedAt: date,
    }),
    insertOrderLines(tx, { orderId, lines, present }),
    recordSale(tx, { orderId, taken, checkoutId: checkout.id }),
    createInvoice(tx, {
      ...purchase,
      lines: shipping ? [...lines, ...shippingLines({ ...shipping, goods: lines })] : lines,
      vatNotes: vatNotesAt(vatPlaceOf(checkout), lines),
      id: invoiceId,
      source: "checkout",
      seller,
      order: { id: orderId },
      paymentId,
      issuedAt: date,
    }),
    tx
      .update(checkouts)
      .set({
        status: "completed",
        paymentIntentId: paymentId,
        orderId,
        isOrderNumberWritten: false,
        nextCheckAt: date,
        completedAt: date,
        updatedAt: date,
      })
      .where(eq(checkouts.id, checkout.id))
      .execute(),
    enqueueMail(tx, {
      template: "order-confirmation",
      data: {
        invoiceId,
        hasDownloads: lines.some(
          ({ productType, downloadLink }) => productType === "digital" && downloadLink !== null,
        ),
        hasObjects: lines.some(({ productType }) => productType === "physical"),
        terms,
      },
      to: buyer.email,
      ...(userId !== null && { userId }),
      dedupeKey: `order-confirmation:${orderId}`,
    }),
  ]);
  return { id: orderId, changes, ...sentWithCommit(sent.then(([order]) => order)) };
}

/** Reserves the ids of rows that are written together. Unlike numbers, ids may have gaps. */
async function reserveIds(tx: Transaction): Promise<{ orderId: number; invoiceId: number }> {
  const [ids] = await tx.execute<{ orderId: number; invoiceId: number }>(sql`
    select nextval('orders_id_seq')::int as "orderId",
      nextval('invoices_id_seq')::int as "invoiceId"`);
  if (!ids) throw new Error("The sequences gave no ids.");
  return ids;
}

/**
 * Removes the bought pieces from the buyer's cart, which is locked. Pieces added to a line since then stay. A
 * cart that now belongs to another user stays unchanged. The same statement raises the cart's version but not
 * its date, so that no index has to be updated.
 */
async function removeFromCart(
  tx: Transaction,
  { userId, lines }: Pick<Checkout, "userId" | "lines">,
): Promise<void> {
  const bought = sql.join(
    lines.map(
      ({ cartItemId, productId, quantity }) =>
        sql`(${cartItemId}::int, ${productId}::int, ${quantity}::int)`,
    ),
    sql`, `,
  );
  await tx.execute(sql`
    with bought (id, product_id, pieces) as (values ${bought}), raised as (
      update ${carts} set version = version + 1 where user_id = ${userId} returning id
    ), reduced as (
      update ${cartItems} i set quantity = i.quantity - bought.pieces from bought, raised
      where i.id = bought.id and i.cart_id = raised.id and i.product_id = bought.product_id
        and i.quantity > bought.pieces
    )
    delete from ${cartItems} i using bought, raised
    where i.id = bought.id and i.cart_id = raised.id
      and (i.product_id is null or i.product_id = bought.product_id)
      and i.quantity <= bought.pieces`);
}
