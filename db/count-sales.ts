import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { products } from "@/db/schema/catalogue";
import { stockHolds } from "@/db/schema/stock";

/** A product as it was before its sales were counted. */
type CountedProduct = {
  id: number;
  /** Null where stock is not tracked. */
  stock: number | null;
  lowStockThreshold: number | null;
  /** Pieces held by the checkout and taken out of the stock. */
  taken: number;
};

/** By id; deleted products are missing. */
export type CountedProducts = ReadonlyMap<number, CountedProduct>;

/**
 * Adds the pieces of some lines to their products' sales; `sign: -1` subtracts them. Products are locked
 * in the order of their ids, so that two orders of the same products cannot deadlock. The statements are
 * sent at once, before the caller's next ones.
 *
 * With `checkoutId` it also takes the pieces held by this checkout out of the stock, since a separate
 * statement would slow the purchase down. `takeStock` takes the pieces that are not held.
 *
 * @returns the products that still exist; their locks keep them until the transaction ends
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
 * Change the products in a later statement. A statement that locks and changes rows at once can deadlock with
 * others waiting for the same rows, while a third transaction holds a weaker lock (adding to a cart does).
 */
export function lockProducts(
  tx: Pick<Transaction, "execute">,
  { lines, only = sql`true` }: { lines: Parameters<typeof piecesOf>[0]; only?: SQL },
): Promise<void> {
  const ids = [...piecesOf(lines).keys()];
  return tx
    .execute(sql`select from ${products} where ${isAmong(sql`id`, ids)} and ${only}
      order by id for no key update`)
    .then(() => undefined);
}

/** The pieces per product id. */
export function piecesOf(
  lines: readonly { productId?: number | null; quantity: number }[],
): Map<number, number> {
  const pieces = new Map<number, number>();
  for (const { productId, quantity } of lines) {
    if (productId) pieces.set(productId, (pieces.get(productId) ?? 0) + quantity);
  }
  return pieces;
}
