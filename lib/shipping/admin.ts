import { eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { inFrenchOrder } from "@/db/french-order";
import { nextVersion } from "@/db/next-version";
import { shippingMethods } from "@/db/schema/shipping";
import { contains } from "@/db/search-text";
import { type Act, type Creation, recordChange, type Update } from "@/lib/audit/mutations";
import { type ByIds, isAmong, listOf, type Reader } from "@/lib/backoffice/list";
import { listSource } from "@/lib/backoffice/list-source";
import { requireVersion } from "@/lib/backoffice/version";
import { fail } from "@/lib/errors";
import { centsOfAmount, formatEuros } from "@/lib/money";
import { shippingMethodResource } from "./admin-resource";
import type {
  ShippingMethodChange,
  ShippingMethodInput,
  ShippingMethodListQuery,
} from "./admin-schemas";
import { DEFAULT_ZONES, type Destinations, destinationsText } from "./rules";
import { NO_DESTINATION } from "./texts";

export type ShippingMethodRow = typeof shippingMethods.$inferSelect;

const entity = "ShippingMethod";

const readMethods = ({ ids, tx = db }: ByIds): Promise<ShippingMethodRow[]> =>
  tx.select().from(shippingMethods).where(isAmong(shippingMethods.id, ids)).execute();

/** The shipping methods, in the shop's order. */
export const {
  page: listShippingMethods,
  table: exportShippingMethods,
  one: requireShippingMethod,
} = listOf({
  sourceOf: listSource<ShippingMethodListQuery>({
    from: sql`shipping_methods m`,
    id: sql`m.id`,
    sorts: { name: inFrenchOrder(sql`m.name`), price: sql`m.price_cents`, order: sql`m.position` },
    fallback: { field: "order", direction: "asc" },
    equal: { active: sql`m.is_active` },
    // Methods are few: no index is needed.
    where: ({ search }) => (search ? [contains(sql`m.name`, search)] : []),
  }),
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
  toJson: shippingMethodResource.toJson,
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

/**
 * Adds a shipping method. A method sent without destinations goes to mainland France.
 *
 * @throws 422 where the sent destinations are empty
 */
export async function createShippingMethod({
  actor,
  input,
}: Creation<ShippingMethodInput>): Promise<ShippingMethodRow> {
  const { postalCodes } = input;
  const zones = input.zones ?? (postalCodes.length > 0 ? [] : [...DEFAULT_ZONES]);
  requireDestination({ zones, postalCodes });
  return db.transaction(async (tx) => {
    const [method] = await tx
      .insert(shippingMethods)
      .values({ ...columnsOf(input), zones, name: input.name, priceCents: input.price })
      .returning();
    if (!method) throw new Error("The shipping method was not written.");
    const after = shippingMethodResource.toJson(method);
    await recordChange(tx, { actor, entity, id: method.id, before: null, after });
    return method;
  });
}

/**
 * Changes the given fields of a shipping method. Open payments keep the method as it was when they were
 * opened: it was shown to their customers.
 *
 * @throws 404, 409 for an old version, 422 where no destination would be left
 */
export function updateShippingMethod({
  actor,
  id,
  input: { version, ...input },
}: Update<ShippingMethodChange>): Promise<ShippingMethodRow> {
  return db.transaction(async (tx) => {
    const current = await lockMethod(tx, id);
    const before = shippingMethodResource.toJson(current);
    await requireVersion(tx, { entity, sent: version, current: before });
    requireDestination({
      zones: input.zones ?? current.zones,
      postalCodes: input.postalCodes ?? current.postalCodes,
    });
    const [method] = await tx
      .update(shippingMethods)
      .set({
        ...columnsOf(input),
        ...nextVersion(shippingMethods),
      })
      .where(eq(shippingMethods.id, id))
      .returning();
    if (!method) throw fail.notFound();
    const after = shippingMethodResource.toJson(method);
    await recordChange(tx, { actor, entity, id, before, after });
    return method;
  });
}

/** Deletes a shipping method. Orders keep its name and price. @throws 404 */
export async function deleteShippingMethod({ actor, id }: Act): Promise<void> {
  await db.transaction(async (tx) => {
    const before = shippingMethodResource.toJson(await lockMethod(tx, id));
    await tx.delete(shippingMethods).where(eq(shippingMethods.id, id));
    await recordChange(tx, { actor, entity, id, before, after: null });
  });
}

async function lockMethod(tx: Reader, id: number): Promise<ShippingMethodRow> {
  const [method] = await tx
    .select()
    .from(shippingMethods)
    .where(eq(shippingMethods.id, id))
    .for("update");
  if (!method) throw fail.notFound();
  return method;
}
