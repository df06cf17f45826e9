import { sql } from "drizzle-orm";
import type { Transaction } from "@/db";

/** A product whose stock has changed. */
export interface StockChange {
  productId: number;
}

/**
 * Puts pieces of an order back into the stock of the products that are counted.
 *
 * @returns what `expireStock` is to be told after the commit
 */
export async function returnStock(
  tx: Transaction,
  {
    orderId,
    lines,
  }: { orderId: number; lines: readonly { productId: number | null; quantity: number }[] },
): Promise<StockChange[]> {
  const pieces = new Map<number, number>();
  for (const { productId, quantity } of lines)
    if (productId !== null) pieces.set(productId, (pieces.get(productId) ?? 0) + quantity);
  const [ids, counts] = [[...pieces.keys()], [...pieces.values()]];
  const returned = await tx.execute<{ id: number }>(sql`
    with back as (
      select id, pieces from unnest(${sql.param(ids)}::int[], ${sql.param(counts)}::int[]) as t (id, pieces)
    ), locked as (
      select p.id from products p join back using (id) where p.stock is not null
      order by p.id for no key update of p
    ), raised as (
      update products p set stock = p.stock + back.pieces from back, locked
      where p.id = back.id and p.id = locked.id returning p.id
    )
    insert into stock_movements (product_id, kind, quantity, order_id)
    select back.id, 'return', back.pieces, ${orderId}::int from back join raised using (id)
    returning product_id as id`);
  return returned.map(({ id }) => ({ productId: id }));
}
