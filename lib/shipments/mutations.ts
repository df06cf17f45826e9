import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { orderLines, orders } from "@/db/schema/orders";
import { shipmentLines, shipments } from "@/db/schema/shipments";
import type { Act, Update } from "@/lib/audit/mutations";
import { lockOwned } from "@/lib/backoffice/people";
import { changedMeanwhile } from "@/lib/backoffice/texts";
import { requireVersion } from "@/lib/backoffice/version";
import { fail } from "@/lib/errors/failure";
import { enqueueMail } from "@/lib/mail/outbox";
import { type AdminOrderRow, adminOrders } from "@/lib/orders/admin";
import { recordOrder } from "@/lib/orders/admin-changes";
import { adminOrderResource } from "@/lib/orders/admin-resource";
import { shipmentResource } from "@/lib/orders/resource";
import { addressesOf, isNext, type Step } from "@/lib/orders/rules";
import type { Shipment } from "@/lib/orders/shipments";
import { setStatus, settleStatus } from "@/lib/orders/status-changes";
import { UNKNOWN_LINE } from "@/lib/orders/texts";
import { requireShipment } from "./queries";
import { namedCarrier, trackingUrl } from "./rules";
import type { ShipmentChange, ShipmentInput, StepAnswer } from "./schemas";
import {
  DELIVERED,
  ITEM_IS_FILE,
  NOTHING_TO_SEND,
  notNext,
  PREPARED,
  SAME_PARCEL,
  tooManyPieces,
} from "./texts";

/** Marks an order as being packed. @throws 404; 409 unless it has just been paid and has something to send */
export const prepareOrder = (request: Act): Promise<StepAnswer> =>
  changeOrder({ ...request, step: "prepare" }, async (tx, { id, items }) => {
    if (items.every(({ toSend }) => toSend === 0)) throw fail.conflict(NOTHING_TO_SEND);
    await setStatus(tx, { orderId: id, status: "preparing" });
    return { message: PREPARED, id, status: "preparing" };
  });

/** Marks an order and all its parcels as delivered. @throws 404; 409 unless the whole order was sent */
export const deliverOrder = (request: Act): Promise<StepAnswer> =>
  changeOrder({ ...request, step: "deliver" }, async (tx, { id }) => {
    await setStatus(tx, { orderId: id, status: "delivered" });
    await tx
      .update(shipments)
      .set({
        deliveredAt: sql`coalesce(${shipments.deliveredAt}, now())`,
        ...nextVersion(shipments),
      })
      .where(eq(shipments.orderId, id));
    return { message: DELIVERED, id, status: "delivered" };
  });

/**
 * Sends a parcel with the given items, or with everything that is left to send. The buyer's mail is queued in
 * the same transaction: one mail per parcel. A repeated request is refused: nothing is left to send, the
 * tracking number is the same, or the version has changed.
 *
 * @throws 404; 409 where the order's state allows no parcel, or the order has this parcel already; 422 for
 *   items of another order, or more pieces than are left
 */
export const sendParcel = ({ input, ...request }: Update<ShipmentInput>): Promise<Shipment> =>
  changeOrder({ ...request, step: "ship", version: input.version }, async (tx, order) => {
    const { carrier, trackingNumber = null } = input;
    requireNewParcel(order.shipments, { carrier, trackingNumber });
    const contents = contentsOf({ order, items: input.items ?? null });
    const [written] = await tx
      .insert(shipments)
      .values({ orderId: order.id, carrier, trackingNumber, createdBy: request.actor.id })
      .returning({ id: shipments.id });
    if (!written) throw new Error("The parcel was not written.");
    for (const { lineId, quantity } of contents)
      await tx
        .update(orderLines)
        .set({ shippedQuantity: sql`${orderLines.shippedQuantity} + ${quantity}` })
        .where(eq(orderLines.id, lineId));
    await tx.insert(shipmentLines).values(
      contents.map(({ lineId, quantity }) => ({
        shipmentId: written.id,
        orderLineId: lineId,
        quantity,
      })),
    );
    await settleStatus(tx, { orderId: order.id });
    const shipment = await requireShipment({ id: written.id, tx });
    await mailParcel(tx, { order, shipment });
    return shipment;
  });

/**
 * Corrects the carrier or the tracking number of a parcel. The buyer sees them in the order.
 *
 * @throws 404; 409 for an old version, or where another parcel of the order has the same number
 */
export async function updateShipment({
  actor,
  id,
  input,
}: Update<ShipmentChange>): Promise<Shipment> {
  return db.transaction(async (tx) => {
    const { orderId } = await requireShipment({ id, tx });
    await lockOwned(tx, orders, { id: orderId });
    const order = await adminOrders.one({ id: orderId, tx });
    const current = await requireShipment({ id, tx });
    if (input.version !== undefined && input.version !== null && input.version !== current.version)
      throw fail.conflict(changedMeanwhile(null), { current: shipmentResource.toJson(current) });
    const { carrier = current.carrier, trackingNumber = current.trackingNumber } = input;
    const others = order.shipments.filter((other) => other.id !== id);
    requireNewParcel(others, { carrier, trackingNumber });
    if (carrier !== current.carrier || trackingNumber !== current.trackingNumber)
      await tx
        .update(shipments)
        .set({
          carrier,
          trackingNumber,
          ...nextVersion(shipments),
        })
        .where(eq(shipments.id, id));
    await recordOrder(tx, { actor, id: orderId, before: adminOrderResource.toJson(order) });
    return requireShipment({ id, tx });
  });
}

/**
 * Locks an order and advances it by a step, in one transaction.
 *
 * @throws 404; 409 for an old version, or where the order's state does not allow the step
 */
function changeOrder<T>(
  { actor, id, step, version }: Act & { step: Step; version?: number | null | undefined },
  run: (tx: Transaction, order: AdminOrderRow) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await lockOwned(tx, orders, { id });
    const order = await adminOrders.one({ id, tx });
    const current = adminOrderResource.toJson(order);
    if (!isNext({ step, status: order.status }))
      throw fail.conflict(notNext({ step, status: order.status }), { current });
    await requireVersion(tx, { entity: "Order", sent: version, current });
    const result = await run(tx, order);
    await tx.update(orders).set(nextVersion(orders)).where(eq(orders.id, id));
    await recordOrder(tx, { actor, id, before: current });
    return result;
  });
}

/** @throws 409 where the order already has a parcel with this number */
function requireNewParcel(
  others: readonly Shipment[],
  { carrier, trackingNumber }: Pick<Shipment, "carrier" | "trackingNumber">,
): void {
  const isSame = (other: Shipment) =>
    other.carrier === carrier && other.trackingNumber === trackingNumber;
  if (trackingNumber !== null && others.some(isSame)) throw fail.conflict(SAME_PARCEL);
}

/** The contents of a new parcel. @throws 409, 422 */
function contentsOf({
  order,
  items,
}: {
  order: AdminOrderRow;
  items: ShipmentInput["items"];
}): { lineId: number; quantity: number }[] {
  const left = order.items.filter(({ toSend }) => toSend > 0);
  if (left.length === 0) throw fail.conflict(NOTHING_TO_SEND);
  if (!items) return left.map(({ id, toSend }) => ({ lineId: id, quantity: toSend }));
  return items.map(({ item, quantity }, index) => {
    const line = order.items.find(({ id }) => id === item);
    if (!line) throw fail.violation(`items[${index}].item`, UNKNOWN_LINE);
    if (line.product.type === "digital") throw fail.violation(`items[${index}].item`, ITEM_IS_FILE);
    if (quantity > line.toSend)
      throw fail.violation(`items[${index}].quantity`, tooManyPieces(line.toSend));
    return { lineId: item, quantity };
  });
}

/** Sent to the buyer's present address; not sent where the account was erased. */
async function mailParcel(
  tx: Transaction,
  { order, shipment }: { order: AdminOrderRow; shipment: Shipment },
): Promise<void> {
  if (order.user === null) return;
  const { id: userId, email, firstName, lastName } = order.user;
  const sent = new Map(shipment.items.map(({ lineId, quantity }) => [lineId, quantity]));
  const rest = order.items.flatMap(({ id, product: { name }, toSend }) => {
    const quantity = toSend - (sent.get(id) ?? 0);
    return quantity > 0 ? [{ name, quantity }] : [];
  });
  await enqueueMail(tx, {
    template: "shipment",
    data: {
      orderNumber: order.number,
      buyer: { firstName, lastName },
      carrier: namedCarrier(shipment.carrier),
      trackingNumber: shipment.trackingNumber,
      trackingUrl: trackingUrl(shipment),
      items: shipment.items.map(({ name, quantity }) => ({ name, quantity })),
      rest,
      address: addressesOf(order).shippingAddress,
    },
    to: email,
    userId,
    dedupeKey: `shipment:${shipment.id}`,
  });
}
