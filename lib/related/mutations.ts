import { sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

/** Order lines read per transaction. */
const LINES_PER_BATCH = 100;

/** The latest orders of a product from which its companions are computed. */
const LATEST_ORDERS = 500;

/** Companions kept per product: more than are shown, since some become drafts or are sold out. */
const KEPT = 12;

/**
 * Reads the order lines written since the last run, and computes anew which products were bought together
 * with theirs. Any number of processes may run it at once: one of them works, the others return.
 *
 * A line that is committed after a line with a higher id is missed until its product is sold again.
 *
 * @param limit order lines to read at most
 * @returns the number of order lines read
 */
export async function updateBoughtTogether({
  limit = Number.POSITIVE_INFINITY,
  signal,
}: {
  limit?: number;
  signal?: AbortSignal;
} = {}): Promise<number> {
  let read = 0;
  while (read < limit && !signal?.aborted) {
    const { lines, products } = await db.transaction(updateBatch);
    if (products.length > 0) await invalidate(products.map(CACHE_TAGS.product));
    read += lines;
    if (lines < LINES_PER_BATCH) break;
  }
  return read;
}

/** @returns the number of lines read, and the products whose companions have changed */
async function updateBatch(tx: Transaction): Promise<{ lines: number; products: number[] }> {
  const nothing = { lines: 0, products: [] };
  const [progress] = await tx.execute<{ last: number }>(
    sql`select last_line_id as last from bought_together_progress for update skip locked`,
  );
  if (!progress) return nothing;
  const lines = await tx.execute<{ id: number; productId: number | null }>(sql`
    select id, product_id as "productId" from order_lines
    where id > ${progress.last} order by id limit ${LINES_PER_BATCH}`);
  const last = lines.at(-1)?.id;
  if (last === undefined) return nothing;
  const sold = [...new Set(lines.flatMap(({ productId }) => productId ?? []))];
  const products = await writeCompanions(tx, { sold, companions: await countCompanions(tx, sold) });
  await tx.execute(sql`update bought_together_progress set last_line_id = ${last}`);
  return { lines: lines.length, products };
}

interface Companion {
  id: number;
  other: number;
  /** Orders with both. */
  orders: number;
}

/** The products that were bought most often in the same orders as these. */
const countCompanions = (tx: Transaction, sold: readonly number[]) =>
  tx.execute<Companion & Record<string, unknown>>(sql`
    select sold.id, common.other, common.orders
    from unnest(${sql.param([...sold])}::int[]) sold (id)
    cross join lateral (
      select l.product_id as other, count(distinct l.order_id)::int as orders
      from order_lines l join (
        select distinct order_id from (
          select order_id from order_lines where product_id = sold.id
          order by id desc limit ${LATEST_ORDERS}
        ) latest
      ) its using (order_id)
      where l.product_id <> sold.id
      group by l.product_id order by orders desc, other limit ${KEPT}
    ) common`);

/** Replaces the companions of products. @returns the products whose companions have changed */
async function writeCompanions(
  tx: Transaction,
  { sold, companions }: { sold: readonly number[]; companions: readonly Companion[] },
): Promise<number[]> {
  const named = [...new Set([...sold, ...companions.map(({ other }) => other)])];
  // Locks before it writes, in the order of ids: a concurrent deletion of a product is over then, or waits.
  const found = await tx.execute<{ id: number }>(sql`
    select id from products where ${isAmong(sql`id`, named)} order by id for key share`);
  const existing = new Set(found.map(({ id }) => id));
  const kept = companions.filter(({ id, other }) => existing.has(id) && existing.has(other));
  const column = (name: keyof Companion) => sql`${sql.param(kept.map((row) => row[name]))}::int[]`;
  const changed = await tx.execute<{ id: number }>(sql`
    with counted as materialized (
      select * from unnest(${column("id")}, ${column("other")}, ${column("orders")})
        counted (product_id, other_id, orders)
    ), removed as (
      delete from bought_together b
      where ${isAmong(sql`b.product_id`, sold)} and not exists (
        select from counted c where c.product_id = b.product_id and c.other_id = b.other_id
      )
      returning b.product_id as id
    ), written as (
      insert into bought_together as b (product_id, other_id, orders)
      select product_id, other_id, orders from counted
      on conflict (product_id, other_id) do update set orders = excluded.orders
        where b.orders <> excluded.orders
      returning b.product_id as id
    )
    select id from removed union select id from written`);
  return changed.map(({ id }) => id);
}
