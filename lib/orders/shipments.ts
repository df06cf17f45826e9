import { eq } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { refundedPieces } from "@/db/refunded-pieces";
import { orderLines } from "@/db/schema/orders";
import { shipmentLines, shipments } from "@/db/schema/shipments";
import type { Reader } from "@/lib/backoffice/list";
import { groupBy } from "@/lib/group-by";

type ShipmentRow = typeof shipments.$inferSelect;

/** A parcel with its contents. */
export interface Shipment extends Omit<ShipmentRow, "createdBy" | "updatedAt"> {
  items: { lineId: number; name: string; quantity: number }[];
}

/** The parcels of the orders, by order id, oldest first. */
export async function readShipments({
  orderIds,
  tx = db,
}: {
  orderIds: readonly number[];
  tx?: Reader;
}): Promise<Map<number, Shipment[]>> {
  if (orderIds.length === 0) return new Map();
  const found = await tx
    .select({
      id: shipments.id,
      orderId: shipments.orderId,
      carrier: shipments.carrier,
      trackingNumber: shipments.trackingNumber,
      shippedAt: shipments.shippedAt,
      deliveredAt: shipments.deliveredAt,
      version: shipments.version,
    })
    .from(shipments)
    .where(isAmong(shipments.orderId, orderIds))
    .orderBy(shipments.id);
  if (found.length === 0) return new Map();
  const lines = await tx
    .select({
      shipmentId: shipmentLines.shipmentId,
      lineId: shipmentLines.orderLineId,
      name: orderLines.name,
      quantity: shipmentLines.quantity,
    })
    .from(shipmentLines)
    .innerJoin(orderLines, eq(orderLines.id, shipmentLines.orderLineId))
    .where(
      isAmong(
        shipmentLines.shipmentId,
        found.map(({ id }) => id),
      ),
    )
    .orderBy(shipmentLines.orderLineId);
  const byShipment = groupBy(lines, ({ shipmentId }) => shipmentId);
  const all = found.map((shipment) => ({
    ...shipment,
    items: (byShipment.get(shipment.id) ?? []).map(({ shipmentId: _, ...item }) => item),
  }));
  return groupBy(all, ({ orderId }) => orderId);
}

/** The lines of an order. The caller must hold the order's lock. */
export const readLineProgress = (tx: Pick<Transaction, "select">, orderId: number) =>
  tx
    .select({
      id: orderLines.id,
      name: orderLines.name,
      productType: orderLines.productType,
      quantity: orderLines.quantity,
      shippedQuantity: orderLines.shippedQuantity,
      refundedQuantity: refundedPieces(),
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(orderLines.id);
