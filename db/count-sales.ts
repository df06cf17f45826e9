import { sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { products } from "@/db/schema/catalogue";

/**
 * Adds the pieces of some lines to their products' sales; `sign: -1` takes them off again. Products
 * are locked in the order of their ids, so that two orders of the same ones never wait for each
 * other. The statement is sent at once, before those of the caller that follow.
 *
 * @returns the ids of the products that are still in the shop; they stay until the transaction ends
 */
export function countSales(
  tx: Pick<Transaction, "execute">,
  {
    lines,
    sign = 1,
  }: {
    lines: readonly { productId?: number | null; quantity: number }[];
    sign?: 1 | -1;
  },
): Promise<ReadonlySet<number>> {
  const pieces = new Map<number, number>();
  for (const { productId, quantity } of lines) {
    if (productId) pieces.set(productId, (pieces.get(productId) ?? 0) + sign * quantity);
  }
  if (pieces.size === 0) return Promise.resolve(new Set());
  const sold = sql.join(
    [...pieces].map(([id, count]) => sql`(${id}::int, ${count}::int)`),
    sql`, `,
  );
  const counted = tx.execute<{ id: number }>(sql`
    with sold (id, pieces) as (values ${sold}), locked as materialized (
      select p.id from ${products} p where p.id in (select id from sold)
      order by p.id for no key update
    )
    update ${products} set sales_count = greatest(0, sales_count + sold.pieces)
    from sold, locked where ${products.id} = sold.id and locked.id = sold.id
    returning ${products.id} as id`);
  return counted.then((rows) => new Set(rows.map(({ id }) => id)));
}
