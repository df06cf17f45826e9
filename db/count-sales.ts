import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { products } from "@/db/schema/catalogue";
import { stockHolds } from "@/db/schema/stock";

/** A product whose sales were counted, as it was before. */
type CountedProduct = {
  id: number;
  /** Null where its pieces are not counted. */
  stock: number | null;
  lowStockThreshold: number | null;
  /** Pieces that its checkout had held, and that were taken. */
  taken: number;
};

/** By id; products that have left the shop are missing. */
export type CountedProducts = ReadonlyMap<number, CountedProduct>;

/**
 * Adds the pieces of some lines to their products' sales; `sign: -1` takes them off again. Products
 * are locked in the order of their ids, so that two orders of the same ones never wait for each
 * other. The statements are sent at once, before those of the caller that follow.
 *
 * With `checkoutId` it also takes the pieces that this checkout holds out of the stock: a statement of
 * its own would cost a purchase more. What is not held is left to `takeStock`.
 *
 * @returns the products that are still in the shop; they stay until the transaction ends
 */
export function countSales(
  tx: Pick<Transaction, "execute">,
  {
    lines,
    sign = 1,
    checkoutId,
  }: {
    lines: readonly { productId?: number | null; quantity: number }[];
    sign?: 1 | -1;
    checkoutId?: string;
  },
): Promise<CountedProducts> {
  const pieces = piecesOf(lines);
  if (pieces.size === 0) return Promise.resolve(new Map());
  const sold = sql.join(
    [...pieces].map(([id, count]) => sql`(${id}::int, ${sign * count}::int)`),
    sql`, `,
  );
  const held = checkoutId
    ? sql`select h.product_id from ${stockHolds} h
        where h.checkout_id = ${checkoutId} and h.expires_at > now()`
    : sql`select null::int where false`;
  const locked = lockProducts(tx, { lines });
  const counted = tx
    .execute<CountedProduct>(sql`
      with sold (id, pieces) as (values ${sold}), taken as materialized (
        select p.id, sold.pieces, p.stock, p.low_stock_threshold,
          case when p.stock >= sold.pieces and p.id in (${held}) then sold.pieces else 0 end as taken
        from sold join ${products} p on p.id = sold.id
      )
      update ${products} set sales_count = greatest(0, sales_count + taken.pieces),
        stock = ${products.stock} - taken.taken
      from taken where ${products.id} = taken.id
      returning ${products.id} as id, taken.stock as stock,
        taken.low_stock_threshold as "lowStockThreshold", taken.taken as taken`)
    .then((rows) => new Map(rows.map((row) => [row.id, row])));
  return Promise.all([counted, locked]).then(([products]) => products);
}

/**
 * Locks the products of some lines, in the order of their ids as everywhere. The statement is sent at once.
 *
 * What changes the products is another statement. One that locks rows and changes them deadlocks with others
 * that wait for these rows while a third one holds a weaker lock on them, as an addition to a cart does.
 */
export function lockProducts(
  tx: Pick<Transaction, "execute">,
  { lines, only = sql`true` }: { lines: Parameters<typeof piecesOf>[0]; only?: SQL },
): Promise<void> {
  const ids = sql.param([...piecesOf(lines).keys()]);
  return tx
    .execute(sql`select from ${products} where id = any(${ids}::int[]) and ${only}
      order by id for no key update`)
    .then(() => undefined);
}

/** How many pieces of each product. */
export function piecesOf(
  lines: readonly { productId?: number | null; quantity: number }[],
): Map<number, number> {
  const pieces = new Map<number, number>();
  for (const { productId, quantity } of lines) {
    if (productId) pieces.set(productId, (pieces.get(productId) ?? 0) + quantity);
  }
  return pieces;
}
