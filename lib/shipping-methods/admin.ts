import { sql } from "drizzle-orm";
import { db } from "@/db";
import { isAmong } from "@/db/among";
import { inFrenchOrder } from "@/db/french-order";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { contains } from "@/db/search-text";
import { adminEntity, changeRow, insertRow } from "@/lib/backoffice/entity";
import type { ByIds } from "@/lib/backoffice/list";
import { fail } from "@/lib/errors/failure";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { centsOfAmount, formatEuros } from "@/lib/money";
import { shippingMethodResource } from "./admin-resource";
import {
  type ShippingMethodInput,
  shippingMethodChange,
  shippingMethodInput,
  shippingMethodListQuery,
} from "./admin-schemas";
import { DEFAULT_ZONES, type Destinations, destinationsText } from "./rules";
import { NO_DESTINATION } from "./texts";

export type ShippingMethodRow = typeof shippingMethods.$inferSelect;

const readMethods = ({ ids, tx = db }: ByIds): Promise<ShippingMethodRow[]> =>
  tx.select().from(shippingMethods).where(isAmong(shippingMethods.id, ids)).execute();

/**
 * The shipping methods, in the shop's order. Orders keep the name and the price of theirs. Open payments keep
 * the method as it was when they were opened: it was shown to their customers.
 */
export const adminShippingMethods = adminEntity({
  entity: "ShippingMethod",
  table: shippingMethods,
  resource: shippingMethodResource,
  query: shippingMethodListQuery,
  source: {
    from: sql`shipping_methods m`,
    id: sql`m.id`,
    sorts: { name: inFrenchOrder(sql`m.name`), price: sql`m.price_cents`, order: sql`m.position` },
    fallback: { field: "order", direction: "asc" },
    equal: { active: sql`m.is_active` },
    // Methods are few: no index is needed.
    where: ({ search }) => (search ? [contains(sql`m.name`, search)] : []),
  },
  read: readMethods,
  fileName: "livraison",
  columns: {
    ID: ({ id }) => id,
    Nom: ({ name }) => name,
    "Prix (€)": ({ price }) => price,
    "Offerte à partir de (€)": ({ freeFrom }) => freeFrom,
    Délai: ({ delay }) => delay,
    "Tranches de poids": ({ bands }) =>
      bands
        .map(({ maxWeight, price }) => `${maxWeight} g : ${formatEuros(centsOfAmount(price))}`)
        .join(", "),
    Actif: ({ active }) => active,
    Ordre: ({ order }) => order,
    Destinations: destinationsText,
  },
  input: shippingMethodInput,
  change: shippingMethodChange,
  /** A method sent without destinations goes to mainland France. */
  create: async (tx, { input }) => {
    const { name, price: priceCents, postalCodes } = input;
    const zones = input.zones ?? (postalCodes.length > 0 ? [] : [...DEFAULT_ZONES]);
    requireDestination({ zones, postalCodes });
    return insertRow(tx, shippingMethods, { ...columnsOf(input), zones, name, priceCents });
  },
  update: async (tx, { id, input, current }) => {
    const { zones = current.zones, postalCodes = current.postalCodes } = input;
    requireDestination({ zones, postalCodes });
    await changeRow(tx, shippingMethods, { id, ...columnsOf(input) });
  },
  expire: () => invalidate([CACHE_TAGS.shippingMethods]),
});

/** The columns of the sent fields. */
function columnsOf({ price, freeFrom, active, order, ...same }: Partial<ShippingMethodInput>) {
  return {
    ...same,
    priceCents: price,
    freeFromCents: freeFrom,
    isActive: active,
    position: order,
  };
}

/** @throws 422 where a method has neither zones nor postal codes */
function requireDestination({ zones, postalCodes }: Destinations): void {
  if (zones.length + postalCodes.length === 0) throw fail.violation("zones", NO_DESTINATION);
}
