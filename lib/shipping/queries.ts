import { asc, eq } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { shippingMethods } from "@/db/schema/shipping";
import type { Tariff } from "./rules";

/** A method that customers may choose. */
export interface ActiveMethod extends Tariff {
  id: number;
  name: string;
  delay: string;
}

/** The active methods, in the shop's order. The statement is sent at once. */
export function listActiveMethods(tx: Pick<Transaction, "select"> = db): Promise<ActiveMethod[]> {
  return tx
    .select({
      id: shippingMethods.id,
      name: shippingMethods.name,
      delay: shippingMethods.delay,
      priceCents: shippingMethods.priceCents,
      freeFromCents: shippingMethods.freeFromCents,
      bands: shippingMethods.bands,
    })
    .from(shippingMethods)
    .where(eq(shippingMethods.isActive, true))
    .orderBy(asc(shippingMethods.position), asc(shippingMethods.id))
    .execute();
}
