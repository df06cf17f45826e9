import { eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import type { ProductType } from "@/lib/product-type";
import { type ActiveMethod, listActiveMethods } from "@/lib/shipping/queries";

/** A line of a cart, with its product as it is now or, once it left the shop, as it last was. */
export interface CartLine {
  id: number;
  quantity: number;
  /** Null once the product has left the shop. */
  productId: number | null;
  type: ProductType | null;
  name: string;
  image: string | null;
  priceCents: number;
  /** Grams; null where the shop does not know. */
  weight: number | null;
  /** What the product cost when the customer put it into the cart. */
  seenPriceCents: number;
  /** Pieces; null where they are not counted. */
  stock: number | null;
}

export interface Cart {
  /** Null before anything was put into it. */
  id: number | null;
  lines: CartLine[];
  /** How the shop sends its objects. */
  methods: ActiveMethod[];
}

/** The customer's cart, in the order in which products were put into it. */
export async function getCart({ userId }: { userId: number }): Promise<Cart> {
  const [rows, methods] = await Promise.all([readRows({ userId }), listActiveMethods()]);
  const isNewPriceShown = rows.some(
    ({ item, product }) =>
      item && product && product.priceCents !== (item.shownPriceCents ?? item.seenPriceCents),
  );
  if (isNewPriceShown) await noteShownPrices(rows);
  const lines = rows.flatMap(({ item, product }): CartLine[] =>
    item === null
      ? []
      : [
          {
            id: item.id,
            quantity: item.quantity,
            productId: product?.id ?? null,
            type: product?.type ?? null,
            name: product?.name ?? item.seenName,
            image: product ? product.image : item.seenImage,
            priceCents: product?.priceCents ?? item.seenPriceCents,
            weight: product?.weight ?? null,
            seenPriceCents: item.seenPriceCents,
            stock: product?.stock ?? null,
          },
        ],
  );
  return { id: rows[0]?.cartId ?? null, lines, methods };
}

function readRows({ userId }: { userId: number }) {
  return db
    .select({
      cartId: carts.id,
      item: {
        id: cartItems.id,
        quantity: cartItems.quantity,
        seenName: cartItems.seenName,
        seenImage: cartItems.seenImage,
        seenPriceCents: cartItems.seenPriceCents,
        shownPriceCents: cartItems.shownPriceCents,
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
    .leftJoin(products, eq(products.id, cartItems.productId))
    .where(eq(carts.userId, userId))
    .orderBy(cartItems.id);
}

/** Stores the prices that the cart is about to show: only these may be charged. */
async function noteShownPrices(
  rows: readonly { item: { id: number } | null; product: { priceCents: number } | null }[],
): Promise<void> {
  const shown = rows.flatMap(({ item, product }) =>
    item && product ? [sql`(${item.id}::int, ${product.priceCents}::int)`] : [],
  );
  await db.execute(sql`
    with shown (id, cents) as (values ${sql.join(shown, sql`, `)}), locked as materialized (
      select i.id from ${cartItems} i where i.id in (select id from shown) order by i.id for update
    )
    update ${cartItems} set shown_price_cents = shown.cents
    from shown, locked where ${cartItems.id} = shown.id and locked.id = shown.id`);
}
