import { and, eq } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { countSales } from "@/db/count-sales";
import { nextVersion } from "@/db/next-version";
import { orders } from "@/db/schema/orders";
import { refunds } from "@/db/schema/refunds";
import { type Act, type Creation, recordChange, type Update } from "@/lib/audit/mutations";
import { lockOwned, requireNotEmptied, requirePerson } from "@/lib/backoffice/people";
import { requireVersion } from "@/lib/backoffice/version";
import { fail } from "@/lib/errors/failure";
import { readIsVatExempt } from "@/lib/seller/queries";
import { vatPlaceOf } from "@/lib/shop/vat-of-place";
import { expireStock } from "@/lib/stock/cache";
import { recordSale, returnStock, takeUnheld } from "@/lib/stock/mutations";
import { unsentPieces } from "@/lib/stock/queries";
import { type AdminOrderRow, adminOrders } from "./admin";
import { linesOf, refuseShortage, replaceLines } from "./admin-lines";
import { adminOrderResource, downloadPath } from "./admin-resource";
import type { AdminOrderChange, AdminOrderInput } from "./admin-schemas";
import { expireSales, insertOrder, insertOrderLines } from "./mutations";
import { addressesOf } from "./rules";
import { settleStatus } from "./status-changes";
import { REFUND_PENDING } from "./texts";

type AdminOrderJson = ReturnType<typeof adminOrderResource.toJson>;

/**
 * Creates an order by hand, under the next number.
 *
 * @throws 422 for an unknown user or product, or more pieces than are free
 */
export async function createOrderByHand({
  actor,
  input,
}: Creation<AdminOrderInput>): Promise<AdminOrderRow> {
  const { order, changes } = await db.transaction(async (tx) => {
    const { id: userId, ...person } = await requirePerson(tx, input.user);
    const isVatExempt = await readIsVatExempt(tx);
    const place = vatPlaceOf({ isVatExempt, ...addressesOf(input) });
    const wanted = await linesOf(tx, { items: input.orderItems, present: [], place });
    const lines = wanted.map(({ line }) => line);
    const present = await countSales(tx, { lines });
    const { taken, changes, short } = await takeUnheld(tx, { lines, counted: present });
    refuseShortage({ short, lines: wanted });
    const { id } = await insertOrder(tx, {
      buyer: { userId, ...person },
      lines,
      totalCents: input.total,
      isVatExempt,
      ...addressesOf(input),
      invoicePdfPath: input.invoice_pdf_path,
    });
    await insertOrderLines(tx, { orderId: id, lines, present });
    await recordSale(tx, { orderId: id, taken });
    return { order: await recordOrder(tx, { actor, id, before: null }), changes };
  });
  await Promise.all([
    expireSales(order.items.map(({ product }) => product.id)),
    expireStock(changes),
  ]);
  return order;
}

/**
 * Changes the given fields of an order. A bought product that stays in the order keeps its name, its price
 * and its VAT rate.
 *
 * @throws 404; 409 for an old version, other lines of a cancelled order, or the removal of a line with
 *   shipped or refunded pieces; 422 for an unknown user or product, for emptying a field, for more pieces
 *   than are free, or fewer than were shipped or refunded
 */
export async function updateOrder({
  actor,
  id,
  input: { version, user, orderItems, total, invoice_pdf_path: path, ...addresses },
}: Update<AdminOrderChange>): Promise<AdminOrderRow> {
  const { order, sold, changes } = await db.transaction(async (tx) => {
    await lockOwned(tx, orders, { id, userId: user });
    const current = await adminOrders.one({ id, tx });
    const before = adminOrderResource.toJson(current);
    await requireVersion(tx, { entity: "Order", sent: version, current: before });
    const sent = { user, invoice_pdf_path: path };
    requireNotEmptied({ fields: ["user", "invoice_pdf_path"], sent, current: before });
    const buyer = user === undefined || user === null ? null : await requirePerson(tx, user);
    const isNewBuyer = buyer !== null && buyer.id !== current.userId;
    const { sold, changes } = orderItems
      ? await replaceLines(tx, { order: { ...current, ...addresses }, items: orderItems })
      : { sold: [], changes: [] };
    await tx
      .update(orders)
      .set({
        ...(isNewBuyer && {
          userId: buyer.id,
          buyerEmail: buyer.email,
          buyerFirstName: buyer.firstName,
          buyerLastName: buyer.lastName,
        }),
        totalCents: total,
        ...addresses,
        // The client sends back the path that it read: the shop's own invoice is not a path typed by admins.
        ...(path !== undefined &&
          path !== downloadPath(current.invoiceId) && { invoicePdfPath: path }),
        ...nextVersion(orders),
      })
      .where(eq(orders.id, id));
    if (orderItems) await settleStatus(tx, { orderId: id });
    return { order: await recordOrder(tx, { actor, id, before }), sold, changes };
  });
  if (sold.length > 0) await Promise.all([expireSales(sold), expireStock(changes)]);
  return order;
}

/** Records an order in the audit log after a change by admins, and returns the order. */
export async function recordOrder(
  tx: Transaction,
  { actor, id, before }: Act & { before: AdminOrderJson | null },
): Promise<AdminOrderRow> {
  const order = await adminOrders.one({ id, tx });
  const after = adminOrderResource.toJson(order);
  await recordChange(tx, { actor, entity: "Order", id, before, after });
  return order;
}

/**
 * Deletes an order. Its invoice stays, and its number is not used again. Unsent pieces go back into the
 * stock.
 *
 * @throws 404, 409 while a refund is pending
 */
export async function deleteOrder({ actor, id }: Act): Promise<void> {
  const { sold, changes } = await db.transaction(async (tx) => {
    await lockOwned(tx, orders, { id });
    const order = await adminOrders.one({ id, tx });
    // The refund's credit note needs the lines' names and VAT, which the deletion would remove.
    const isOnItsWay = and(
      eq(refunds.orderId, id),
      eq(refunds.status, "pending"),
      eq(refunds.origin, "staff"),
    );
    if ((await tx.$count(refunds, isOnItsWay)) > 0) throw fail.conflict(REFUND_PENDING);
    const lines = order.items.map(({ product, quantity }) => ({
      productId: product.id,
      quantity,
    }));
    await countSales(tx, { lines, sign: -1 });
    const unsent = await unsentPieces(tx, { orderId: id });
    const changes = await returnStock(tx, { orderId: id, lines: unsent });
    await tx.delete(orders).where(eq(orders.id, id));
    await recordChange(tx, {
      actor,
      entity: "Order",
      id,
      before: adminOrderResource.toJson(order),
      after: null,
    });
    return { sold: lines.map(({ productId }) => productId), changes };
  });
  await Promise.all([expireSales(sold), expireStock(changes)]);
}
