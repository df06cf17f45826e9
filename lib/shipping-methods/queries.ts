import { asc, eq } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

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

/** `listActiveMethods`, cached for public pages. */
export const listPublicMethods = () =>
  cached({
    key: ["shipping-methods"],
    tags: [CACHE_TAGS.shippingMethods],
    run: () => listActiveMethods(),
  });
