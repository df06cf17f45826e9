import { and, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { users } from "@/db/schema/auth";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { adminEntity, changeRow, insertRow } from "@/lib/backoffice/entity";
import type { ByIds } from "@/lib/backoffice/list";
import { lockOwned, personColumns, requirePerson } from "@/lib/backoffice/people";
import { itemsText } from "@/lib/backoffice/resource";
import type { ItemInput } from "@/lib/backoffice/schemas";
import { personTarget } from "@/lib/backoffice/search";
import { UNKNOWN_PRODUCT } from "@/lib/backoffice/texts";
import { fail } from "@/lib/errors/failure";
import { groupBy } from "@/lib/group-by";
import { momentCell } from "@/lib/http/api/csv";
import { adminCartResource } from "./admin-resource";
import { adminCartChange, adminCartInput, cartListQuery } from "./admin-schemas";
import { MAX_QUANTITY } from "./limits";
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

/** Everybody's carts. A customer without one gets another with the next addition. */
export const adminCarts = adminEntity({
  entity: "Cart",
  table: carts,
  resource: adminCartResource,
  query: cartListQuery,
  source: {
    from: sql`carts c`,
    id: sql`c.id`,
    sorts: { updatedAt: sql`c.updated_at` },
    equal: { user: sql`c.user_id` },
    targetsFor: (pattern) => [personTarget({ pattern, userId: sql`c.user_id` })],
  },
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
  input: adminCartInput,
  change: adminCartChange,
  duplicates: { carts_user_key: () => fail.violation("user", HAS_CART) },
  lock: (tx, { id, input }) => lockOwned(tx, carts, { id, userId: input?.user }),
  /** @throws 422 for an unknown user or product */
  create: async (tx, { input: { user: userId, items } }) => {
    await requirePerson(tx, userId);
    const cartId = await insertRow(tx, carts, { userId });
    await writeItems(tx, { cartId, items });
    return cartId;
  },
  /** Changes the owner, or replaces the lines. @throws 422 for an unknown user or product */
  update: async (tx, { id, input: { user: userId, items } }) => {
    if (userId !== undefined) await requirePerson(tx, userId);
    await changeRow(tx, carts, { id, userId });
    if (items) await writeItems(tx, { cartId: id, items });
  },
});

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
