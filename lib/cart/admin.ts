import { and, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { users } from "@/db/schema/auth";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { refuseDuplicate } from "@/db/unique";
import { type Act, type Creation, recordChange, type Update } from "@/lib/audit/mutations";
import { type ByIds, groupBy, isAmong, listOf } from "@/lib/backoffice/list";
import { listSource } from "@/lib/backoffice/list-source";
import { lockOwned, personColumns, requirePerson } from "@/lib/backoffice/people";
import { itemsText } from "@/lib/backoffice/resource";
import type { ItemInput } from "@/lib/backoffice/schemas";
import { personTarget } from "@/lib/backoffice/search";
import { UNKNOWN_PRODUCT } from "@/lib/backoffice/texts";
import { requireVersion } from "@/lib/backoffice/version";
import { fail } from "@/lib/errors";
import { momentCell } from "@/lib/http/api/csv";
import { adminCartResource } from "./admin-resource";
import type { AdminCartChange, AdminCartInput, CartListQuery } from "./admin-schemas";
import { MAX_QUANTITY } from "./rules";
import { HAS_CART, quantityTooHigh, UNKNOWN_LINE } from "./texts";

export type AdminCartRow = Awaited<ReturnType<typeof readCarts>>[number];

async function readCarts({ ids, tx = db }: ByIds) {
  const found = await tx
    .select({
      id: carts.id,
      version: carts.version,
      updatedAt: carts.updatedAt,
      user: personColumns,
    })
    .from(carts)
    .innerJoin(users, eq(users.id, carts.userId))
    .where(isAmong(carts.id, ids));
  const lines = await tx
    .select({
      id: cartItems.id,
      cartId: cartItems.cartId,
      quantity: cartItems.quantity,
      addedName: cartItems.addedName,
      addedImage: cartItems.addedImage,
      addedPriceCents: cartItems.addedPriceCents,
      product: {
        id: products.id,
        type: products.type,
        name: products.name,
        description: products.description,
        priceCents: products.priceCents,
        image: products.image,
      },
    })
    .from(cartItems)
    .leftJoin(products, eq(products.id, cartItems.productId))
    .where(isAmong(cartItems.cartId, ids))
    .orderBy(cartItems.id);
  const byCart = groupBy(lines, ({ cartId }) => cartId);
  return found.map((cart) => ({
    ...cart,
    items: (byCart.get(cart.id) ?? []).map(({ id, quantity, product, ...added }) => ({
      id,
      quantity,
      product: product ?? {
        id: null,
        type: "physical" as const,
        name: added.addedName,
        description: null,
        priceCents: added.addedPriceCents,
        image: added.addedImage,
      },
    })),
  }));
}

/** Everybody's carts. */
export const {
  page: listCarts,
  table: exportCarts,
  one: requireCart,
} = listOf({
  sourceOf: listSource<CartListQuery>({
    from: sql`carts c`,
    id: sql`c.id`,
    sorts: { updatedAt: sql`c.updated_at` },
    equal: { user: sql`c.user_id` },
    targetsFor: (pattern) => [personTarget({ pattern, userId: sql`c.user_id` })],
  }),
  read: readCarts,
  fileName: "paniers",
  columns: {
    ID: ({ id }) => id,
    Nom: ({ user }) => user.name,
    Prénom: ({ user }) => user.lastname,
    Email: ({ user }) => user.email,
    Articles: ({ items }) => itemsText(items),
    "Total (€)": ({ total }) => total,
    "Modifié le": ({ updatedAt }) => momentCell(updatedAt),
  },
  toJson: adminCartResource.toJson,
});

const DUPLICATES = { carts_user_key: () => fail.violation("user", HAS_CART) };

/** Creates a cart for a user without one. @throws 422 for an unknown user or product */
export function createCart({ actor, input }: Creation<AdminCartInput>): Promise<AdminCartRow> {
  return db
    .transaction(async (tx) => {
      await requirePerson(tx, input.user);
      const [created] = await tx
        .insert(carts)
        .values({ userId: input.user })
        .returning({ id: carts.id });
      if (!created) throw new Error("The cart was not written.");
      await writeItems(tx, { cartId: created.id, items: input.items });
      const cart = await requireCart({ id: created.id, tx });
      const after = adminCartResource.toJson(cart);
      await recordChange(tx, { actor, entity: "Cart", id: cart.id, before: null, after });
      return cart;
    })
    .catch(refuseDuplicate(DUPLICATES));
}

/**
 * Changes the owner of a cart, or replaces its lines.
 *
 * @throws 404, 409 for an old version, 422 for an unknown user or product
 */
export function updateCart({ actor, id, input }: Update<AdminCartChange>): Promise<AdminCartRow> {
  return db
    .transaction(async (tx) => {
      await lockOwned(tx, carts, { id, userId: input.user });
      const before = adminCartResource.toJson(await requireCart({ id, tx }));
      await requireVersion(tx, { entity: "Cart", sent: input.version, current: before });
      if (input.user !== undefined) await requirePerson(tx, input.user);
      await tx
        .update(carts)
        .set({ userId: input.user, ...nextVersion(carts) })
        .where(eq(carts.id, id));
      if (input.items) await writeItems(tx, { cartId: id, items: input.items });
      const cart = await requireCart({ id, tx });
      const after = adminCartResource.toJson(cart);
      await recordChange(tx, { actor, entity: "Cart", id, before, after });
      return cart;
    })
    .catch(refuseDuplicate(DUPLICATES));
}

/** Deletes a cart with its lines; the customer's next addition creates another. @throws 404 */
export async function deleteCart({ actor, id }: Act): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOwned(tx, carts, { id });
    const before = adminCartResource.toJson(await requireCart({ id, tx }));
    await tx.delete(carts).where(eq(carts.id, id));
    await recordChange(tx, { actor, entity: "Cart", id, before, after: null });
  });
}

/**
 * Replaces the cart's lines. A product has one line: its quantities add up. A line whose product has left
 * the shop stays if an item refers to it by its id.
 */
async function writeItems(
  tx: Transaction,
  { cartId, items }: { cartId: number; items: readonly ItemInput[] },
): Promise<void> {
  const { productIds, departed } = await resolveItems(tx, { cartId, items });
  const wanted = new Map<number, number>();
  items.forEach(({ quantity }, index) => {
    const productId = productIds[index] ?? null;
    if (productId === null) return;
    const sum = (wanted.get(productId) ?? 0) + quantity;
    if (sum > MAX_QUANTITY)
      throw fail.violation(`items[${index}].quantity`, quantityTooHigh(MAX_QUANTITY));
    wanted.set(productId, sum);
  });
  const ids = [...wanted.keys()];
  const known = await tx
    .select({ id: products.id })
    .from(products)
    .where(isAmong(products.id, ids))
    .orderBy(products.id)
    .for("key share");
  const unknown = productIds.findIndex(
    (productId) => productId !== null && !known.some(({ id }) => id === productId),
  );
  if (unknown >= 0) throw fail.violation(`items[${unknown}].product`, UNKNOWN_PRODUCT);
  await tx.execute(sql`
    delete from cart_items where cart_id = ${cartId} and (
      case when product_id is null then not (${isAmong(sql`id`, departed)})
      else not (${isAmong(sql`product_id`, ids)}) end
    )`);
  const quantities = ids.map((id) => wanted.get(id) ?? 1);
  await tx.execute(sql`
    insert into cart_items as line
      (cart_id, product_id, quantity, seen_name, seen_image, seen_price_cents)
    select ${cartId}::int, p.id, wanted.quantity, p.name, p.image, p.price_cents
    from unnest(${sql.param(ids)}::int[], ${sql.param(quantities)}::int[])
      with ordinality as wanted (id, quantity, place)
    join products p on p.id = wanted.id order by wanted.place
    on conflict (cart_id, product_id) do update set quantity = excluded.quantity`);
}

/**
 * The product of each item, null for a line whose product has left the shop, and the ids of these lines.
 *
 * @throws 422 for an id that is no line of this cart
 */
async function resolveItems(
  tx: Transaction,
  { cartId, items }: { cartId: number; items: readonly ItemInput[] },
): Promise<{ productIds: (number | null)[]; departed: number[] }> {
  const named = items.flatMap(({ id, product }) => (product === null && id ? [id] : []));
  const lines = await tx
    .select({ id: cartItems.id, productId: cartItems.productId })
    .from(cartItems)
    .where(and(eq(cartItems.cartId, cartId), isAmong(cartItems.id, named)));
  const productIds = items.map(({ id, product }, index) => {
    if (product !== null) return product;
    const line = lines.find((row) => row.id === id);
    if (!line) throw fail.violation(`items[${index}].id`, UNKNOWN_LINE);
    return line.productId;
  });
  const departed = lines.flatMap(({ id, productId }) => (productId === null ? [id] : []));
  return { productIds, departed };
}
