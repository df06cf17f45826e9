import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { isOnSale } from "@/lib/catalogue/product-rows";
import { readIsVatExempt } from "@/lib/seller/queries";
import { listActiveMethods } from "@/lib/shipping-methods/queries";

export type Cart = Awaited<ReturnType<typeof getCart>>;

/** A line of a cart, with the current product or, once that has left the shop or become a draft, its last known state. */
export type CartLine = Cart["lines"][number];

/**
 * The customer's cart, with its lines in the order in which they were added, the shop's active shipping
 * methods, and whether the shop is outside VAT. The id is null before the first addition.
 */
export async function getCart({ userId }: { userId: number }) {
  const [rows, methods, isVatExempt] = await Promise.all([
    readRows({ userId }),
    listActiveMethods(),
    readIsVatExempt(),
  ]);
  const isNewPriceDisplayed = rows.some(
    ({ item, product }) =>
      item && product && product.priceCents !== (item.displayedPriceCents ?? item.addedPriceCents),
  );
  if (isNewPriceDisplayed) await storeDisplayedPrices(rows);
  const lines = rows.flatMap(({ item, product }) => (item ? [lineOf(item, product)] : []));
  return { id: rows[0]?.cartId ?? null, lines, methods, isVatExempt };
}

type Row = Awaited<ReturnType<typeof readRows>>[number];

const lineOf = (item: NonNullable<Row["item"]>, product: Row["product"]) => ({
  id: item.id,
  quantity: item.quantity,
  /** Null once the product has left the shop. */
  productId: product?.id ?? null,
  type: product?.type ?? null,
  name: product?.name ?? item.addedName,
  image: product ? product.image : item.addedImage,
  priceCents: product?.priceCents ?? item.addedPriceCents,
  /** Grams; null if the shop does not know it. */
  weight: product?.weight ?? null,
  /** The product's price when the customer put it into the cart. */
  addedPriceCents: item.addedPriceCents,
  /** Pieces; null if stock is not counted. */
  stock: product?.stock ?? null,
});

function readRows({ userId }: { userId: number }) {
  return db
    .select({
      cartId: carts.id,
      item: {
        id: cartItems.id,
        quantity: cartItems.quantity,
        addedName: cartItems.addedName,
        addedImage: cartItems.addedImage,
        addedPriceCents: cartItems.addedPriceCents,
        displayedPriceCents: cartItems.displayedPriceCents,
      },
      product: {
        id: products.id,
        type: products.type,
        name: products.name,
        image: products.image,
        priceCents: products.priceCents,
        stock: products.stock,
        weight: products.weight,
      },
    })
    .from(carts)
    .leftJoin(cartItems, eq(cartItems.cartId, carts.id))
    .leftJoin(products, and(eq(products.id, cartItems.productId), isOnSale()))
    .where(eq(carts.userId, userId))
    .orderBy(cartItems.id);
}

/** Stores the prices that the cart is about to display: only these may be charged. */
async function storeDisplayedPrices(rows: readonly Row[]): Promise<void> {
  const displayed = rows.flatMap(({ item, product }) =>
    item && product ? [sql`(${item.id}::int, ${product.priceCents}::int)`] : [],
  );
  await db.execute(sql`
    with shown (id, cents) as (values ${sql.join(displayed, sql`, `)}), locked as materialized (
      select i.id from ${cartItems} i where i.id in (select id from shown) order by i.id for update
    )
    update ${cartItems} set shown_price_cents = shown.cents
    from shown, locked where ${cartItems.id} = shown.id and locked.id = shown.id`);
}
