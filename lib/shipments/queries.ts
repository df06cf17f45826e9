import { eq } from "drizzle-orm";
import { db } from "@/db";
import { shipments } from "@/db/schema/shipments";
import type { Reader } from "@/lib/backoffice/list";
import { fail } from "@/lib/errors/failure";
import { readShipments, type Shipment } from "@/lib/orders/shipments";

/** A parcel with its contents. @throws 404 */
export async function requireShipment({
  id,
  tx = db,
}: {
  id: number;
  tx?: Reader;
}): Promise<Shipment> {
  const [row] = await tx
    .select({ orderId: shipments.orderId })
    .from(shipments)
    .where(eq(shipments.id, id));
  const parcels = row && (await readShipments({ orderIds: [row.orderId], tx })).get(row.orderId);
  const shipment = parcels?.find((parcel) => parcel.id === id);
  if (!shipment) throw fail.notFound("Ce colis n'existe pas.");
  return shipment;
}
