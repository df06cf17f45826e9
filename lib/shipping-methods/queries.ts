import { asc, eq } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { shippingMethods } from "@/db/schema/shipping-methods";

/** A method that customers may choose. */
export type ActiveMethod = Awaited<ReturnType<typeof listActiveMethods>>[number];

/** The active methods, in the shop's order. The statement is sent at once. */
export function listActiveMethods(tx: Pick<Transaction, "select"> = db) {
  return tx
    .select({
      id: shippingMethods.id,
      name: shippingMethods.name,
      delay: shippingMethods.delay,
      priceCents: shippingMethods.priceCents,
      freeFromCents: shippingMethods.freeFromCents,
      bands: shippingMethods.bands,
      zones: shippingMethods.zones,
      postalCodes: shippingMethods.postalCodes,
    })
    .from(shippingMethods)
    .where(eq(shippingMethods.isActive, true))
    .orderBy(asc(shippingMethods.position), asc(shippingMethods.id))
    .execute();
}
