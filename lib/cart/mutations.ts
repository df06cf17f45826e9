import { and, eq, exists, gte, or, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { isOnSale } from "@/lib/catalogue/product-rows";
import { fail } from "@/lib/errors/failure";
import { onlyLeft } from "@/lib/stock/texts";
import { MAX_LINES, MAX_QUANTITY } from "./limits";
import { sumTooHigh, tooManyLines, UNAVAILABLE, UNKNOWN_ITEM, UNKNOWN_PRODUCT } from "./texts";

interface ChangedItem {
  id: number;
  quantity: number;
}

/**
 * Adds pieces of a product to the customer's cart, and creates the cart if there is none. Even with
 * concurrent additions a product has one line.
 *
 * @throws 404 if there is no such product, 422 beyond the limits of a line or of the cart, and if there are
 *   fewer pieces in stock
 */
export function addToCart(addition: Addition): Promise<ChangedItem> {
  return db.transaction(async (tx) => {
    // Sent before the line: this locks the cart's row, so that concurrent additions do not both count the
    // lines.
    const cart = tx
      .insert(carts)
      .values({ userId: addition.userId })
      .onConflictDoUpdate({ target: carts.userId, set: nextVersion(carts) })
      .execute();
    const [, item] = await Promise.all([cart, addLine(tx, addition)]);
    return item ?? (await explainRefusal(tx, addition));
  });
}

interface Addition {
  userId: number;
  productId: number;
  quantity: number;
}

/** Adds to the line or creates it; null if the product is unknown, or a limit or the stock is exceeded. */
async function addLine(
  tx: Transaction,
  { userId, productId, quantity }: Addition,
): Promise<ChangedItem | null> {
  // The lock waits for a concurrent deletion of the product. A stronger lock would block buyers of the
  // product.
  const rows = await tx.execute<{ id: number; quantity: number }>(sql`
    insert into cart_items as line
      (cart_id, product_id, quantity, seen_name, seen_image, seen_price_cents)
    select c.id, p.id, ${quantity}::int, p.name, p.image, p.price_cents
    from carts c, products p
    where c.user_id = ${userId} and p.id = ${productId} and p.status = 'active'
      and coalesce(p.stock >= ${quantity}::int, true) and (
      (select count(*) from cart_items where cart_id = c.id) < ${MAX_LINES}
      or exists (select from cart_items where cart_id = c.id and product_id = p.id)
    )
    for key share of p
    on conflict (cart_id, product_id) do update
      set quantity = line.quantity + excluded.quantity, seen_name = excluded.seen_name,
        seen_image = excluded.seen_image, seen_price_cents = excluded.seen_price_cents,
        shown_price_cents = null
      where line.quantity + excluded.quantity <= ${MAX_QUANTITY} and coalesce((
        select p.stock >= line.quantity + excluded.quantity from products p
        where p.id = excluded.product_id
      ), true)
    returning id, quantity
  `);
  return rows[0] ?? null;
}

async function explainRefusal(
  tx: Transaction,
  { userId, productId, quantity }: Addition,
): Promise<never> {
  const [product] = await tx
    .select({ id: products.id, stock: products.stock })
    .from(products)
    .where(and(eq(products.id, productId), isOnSale()));
  if (!product) throw fail.notFound(UNKNOWN_PRODUCT);
  const [line] = await tx
    .select({ quantity: cartItems.quantity })
    .from(cartItems)
    .innerJoin(carts, eq(carts.id, cartItems.cartId))
    .where(and(eq(carts.userId, userId), eq(cartItems.productId, productId)));
  requireStock({ stock: product.stock, quantity: (line?.quantity ?? 0) + quantity });
  throw line
    ? fail.violation("quantity", sumTooHigh({ max: MAX_QUANTITY, present: line.quantity }))
    : fail.violation("productId", tooManyLines(MAX_LINES));
}

/** @throws 422 if stock is counted and there are fewer pieces than `quantity` */
function requireStock({ stock, quantity }: { stock: number | null; quantity: number }): void {
  if (stock !== null && stock < quantity) throw fail.violation("quantity", onlyLeft(stock));
}

interface OwnItem {
  userId: number;
  id: number;
}

/** Locks the customer's cart for a change. @returns the condition for its lines */
async function lockCart(tx: Transaction, { userId }: { userId: number }): Promise<SQL> {
  const [cart] = await tx
    .update(carts)
    .set(nextVersion(carts))
    .where(eq(carts.userId, userId))
    .returning({ id: carts.id });
  return cart ? eq(cartItems.cartId, cart.id) : sql`false`;
}

/**
 * Sets the number of pieces of a line.
 *
 * @throws 404 if the customer's cart has no such line, 409 if its product has left the shop, 422 for more
 *   pieces than before and than there are in stock
 */
export async function updateCartItem({
  userId,
  id,
  quantity,
}: OwnItem & { quantity: number }): Promise<ChangedItem> {
  return db.transaction(async (tx) => {
    const isLine = and(await lockCart(tx, { userId }), eq(cartItems.id, id));
    const isSold = and(eq(products.id, cartItems.productId), isOnSale());
    const product = tx.select({ stock: products.stock }).from(products).where(isSold);
    const [changed] = await tx
      .update(cartItems)
      .set({ quantity })
      .where(
        and(
          isLine,
          exists(product),
          // A smaller quantity is always accepted.
          or(gte(cartItems.quantity, quantity), sql`coalesce((${product}) >= ${quantity}, true)`),
        ),
      )
      .returning({ id: cartItems.id, quantity: cartItems.quantity });
    if (changed) return changed;
    const [line] = await tx
      .select({ productId: cartItems.productId, stock: products.stock })
      .from(cartItems)
      .leftJoin(products, isSold)
      .where(isLine);
    if (!line) throw fail.notFound(UNKNOWN_ITEM);
    requireStock({ stock: line.stock, quantity });
    throw fail.conflict(`${UNAVAILABLE}.`);
  });
}

/** Removes a line from the cart; 404 if the customer's cart has no such line. */
export async function deleteCartItem({ userId, id }: OwnItem): Promise<void> {
  await db.transaction(async (tx) => {
    const isInCart = await lockCart(tx, { userId });
    const { count } = await tx.delete(cartItems).where(and(isInCart, eq(cartItems.id, id)));
    // The error rolls back the raised version.
    if (count === 0) throw fail.notFound(UNKNOWN_ITEM);
  });
}

/** Removes all lines of the customer's cart; the cart itself stays. */
export async function emptyCart({ userId }: { userId: number }): Promise<void> {
  await db.transaction(async (tx) => tx.delete(cartItems).where(await lockCart(tx, { userId })));
}
