import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { fail } from "@/lib/errors";
import { MAX_LINES, MAX_QUANTITY } from "./rules";
import { sumTooHigh, tooManyLines, UNAVAILABLE, UNKNOWN_ITEM, UNKNOWN_PRODUCT } from "./texts";

interface ChangedItem {
  id: number;
  quantity: number;
}

/**
 * Puts pieces of a product into the customer's cart, which is made where there is none yet; what
 * lies in it already is added to. However many adds arrive at once, a product has one line.
 *
 * @throws 404 where there is no such product, 422 beyond the limits of a line or of the cart
 */
export function addToCart(addition: {
  userId: number;
  productId: number;
  quantity: number;
}): Promise<ChangedItem> {
  return db.transaction(async (tx) => {
    // Also locks the row until the end, so that two adds at once do not both count the lines.
    const [cart] = await tx
      .insert(carts)
      .values({ userId: addition.userId })
      .onConflictDoUpdate({ target: carts.userId, set: { updatedAt: sql`now()` } })
      .returning({ id: carts.id });
    if (!cart) throw new Error("The cart was not written.");
    const request = { ...addition, cartId: cart.id };
    return (await addLine(tx, request)) ?? (await explainRefusal(tx, request));
  });
}

interface Addition {
  cartId: number;
  productId: number;
  quantity: number;
}

/** Adds to the line or makes it; null where there is no product or a limit stands against it. */
async function addLine(
  tx: Transaction,
  { cartId, productId, quantity }: Addition,
): Promise<ChangedItem | null> {
  // A product that is being deleted is waited for, and then not found. Its row may not be locked
  // more than that: others buy it at the same time.
  const { rows } = await tx.execute<{ id: number; quantity: number }>(sql`
    insert into cart_items as line
      (cart_id, product_id, quantity, seen_name, seen_image, seen_price_cents)
    select ${cartId}::int, p.id, ${quantity}::int, p.name, p.image, p.price_cents
    from products p
    where p.id = ${productId} and (
      (select count(*) from cart_items where cart_id = ${cartId}) < ${MAX_LINES}
      or exists (select from cart_items where cart_id = ${cartId} and product_id = p.id)
    )
    for key share of p
    on conflict (cart_id, product_id) do update
      set quantity = line.quantity + excluded.quantity, seen_name = excluded.seen_name,
        seen_image = excluded.seen_image, seen_price_cents = excluded.seen_price_cents,
        shown_price_cents = null
      where line.quantity + excluded.quantity <= ${MAX_QUANTITY}
    returning id, quantity
  `);
  return rows[0] ?? null;
}

async function explainRefusal(tx: Transaction, { cartId, productId }: Addition): Promise<never> {
  const [product] = await tx
    .select({ id: products.id })
    .from(products)
    .where(eq(products.id, productId));
  if (!product) throw fail.notFound(UNKNOWN_PRODUCT);
  const [line] = await tx
    .select({ quantity: cartItems.quantity })
    .from(cartItems)
    .where(and(eq(cartItems.cartId, cartId), eq(cartItems.productId, productId)));
  throw line
    ? fail.violation("quantity", sumTooHigh({ most: MAX_QUANTITY, present: line.quantity }))
    : fail.violation("productId", tooManyLines(MAX_LINES));
}

const cartsOf = (userId: number) =>
  db.select({ id: carts.id }).from(carts).where(eq(carts.userId, userId));

/** A line, if it lies in this customer's cart. */
const isOwnItem = ({ userId, id }: { userId: number; id: number }) =>
  and(eq(cartItems.id, id), inArray(cartItems.cartId, cartsOf(userId)));

/**
 * Sets the number of pieces of a line.
 *
 * @throws 404 where the customer's cart holds no such line, 409 where its product left the shop
 */
export async function updateCartItem(change: {
  userId: number;
  id: number;
  quantity: number;
}): Promise<ChangedItem> {
  const [item] = await db
    .update(cartItems)
    .set({ quantity: change.quantity })
    .where(and(isOwnItem(change), isNotNull(cartItems.productId)))
    .returning({ id: cartItems.id, quantity: cartItems.quantity });
  if (item) return item;
  const [gone] = await db.select({ id: cartItems.id }).from(cartItems).where(isOwnItem(change));
  throw gone ? fail.conflict(`${UNAVAILABLE}.`) : fail.notFound(UNKNOWN_ITEM);
}

/** Takes a line out of the cart; 404 where the customer's cart holds no such line. */
export async function deleteCartItem(item: { userId: number; id: number }): Promise<void> {
  const deleted = await db.delete(cartItems).where(isOwnItem(item)).returning({ id: cartItems.id });
  if (deleted.length === 0) throw fail.notFound(UNKNOWN_ITEM);
}

/** Takes everything out of the customer's cart; the cart itself stays. */
export async function emptyCart({ userId }: { userId: number }): Promise<void> {
  await db.delete(cartItems).where(inArray(cartItems.cartId, cartsOf(userId)));
}
