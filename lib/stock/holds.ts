import { sql } from "drizzle-orm";
import { products } from "@/db/schema/catalogue";
import { checkouts } from "@/db/schema/checkout";
import { stockHolds } from "@/db/schema/stock";
import { env } from "@/lib/env";
import {
  heldByOthers,
  type Lines,
  lockCounted,
  type Shortage,
  valuesOf,
  type Writer,
} from "./mutations";

/**
 * A customer holds pieces of a product for at most MAX_HOLDS times STOCK_HOLD_MINUTES, however often they
 * open the payment and in however many checkouts. For the same time afterwards they cannot hold the product
 * again: others may buy the pieces, and the customer gets pieces only if they are free when the payment
 * arrives, like a customer who pays late.
 */
const MAX_HOLDS = 3;

const minutes = (count: number) => sql`make_interval(mins => ${count})`;
const holdTime = () => minutes(env().STOCK_HOLD_MINUTES);
const maxHoldTime = () => minutes(MAX_HOLDS * env().STOCK_HOLD_MINUTES);

/**
 * Holds the pieces of a customer's pending checkout, if all of them are free. The hold lasts
 * STOCK_HOLD_MINUTES, or the rest of the time that MAX_HOLDS allows. A checkout of another cart holds
 * nothing. Both statements are sent at once, before the caller's later statements: the second sees what was
 * committed while the first waited for the lock.
 *
 * @param fingerprint of the cart; the checkout must have the same
 * @returns the products with too few free pieces; if there are any, the transaction must not commit
 */
export async function holdStock(
  tx: Writer,
  { userId, fingerprint, lines }: { userId: number; fingerprint: string; lines: Lines },
): Promise<Shortage[]> {
  const wanted = valuesOf(lines);
  if (!wanted) return [];
  const free = sql`p.stock - ${heldByOthers({ id: sql`p.id`, isOwn: sql`c.user_id = ${userId}` })}`;
  const [, short] = await Promise.all([
    lockCounted(tx, lines),
    tx
      .execute<Shortage & Record<string, unknown>>(sql`
        with wanted (id, pieces) as (values ${wanted}), room as materialized (
          select p.id, wanted.pieces, (${free})::int as free, coalesce((
            select h.held_since from ${checkouts} c join ${stockHolds} h on h.checkout_id = c.id
            where c.user_id = ${userId} and h.product_id = p.id and h.expires_at > now() - ${maxHoldTime()}
            order by h.expires_at desc limit 1
          ), now()) as since
          from wanted join ${products} p on p.id = wanted.id where p.stock is not null
        ), held as (
          insert into ${stockHolds} (checkout_id, product_id, quantity, held_since, expires_at)
          select c.id, room.id, room.pieces, room.since,
            least(now() + ${holdTime()}, room.since + ${maxHoldTime()})
          from ${checkouts} c, room
          where c.user_id = ${userId} and c.status = 'pending' and c.fingerprint = ${fingerprint}
            and not exists (select from room where free < pieces)
            and room.since + ${maxHoldTime()} > now()
          on conflict (checkout_id, product_id) do update set quantity = excluded.quantity,
            held_since = excluded.held_since, expires_at = excluded.expires_at
        )
        select id as "productId", greatest(free, 0) as free from room where free < pieces order by id`)
      .then((rows) => rows),
  ]);
  return [...short];
}

/** Pieces of the product that no other customer holds; null where the product is not counted. */
export const freePieces = ({ userId }: { userId: number }) =>
  sql<number | null>`case when products.stock is not null then (
    products.stock - ${heldByOthers({ id: sql`products.id`, isOwn: sql`c.user_id = ${userId}` })}
  )::int end`;

/**
 * Does a checkout have the pieces of its counted products? 0 (HELD): it holds all of them. 1 (UNHELD): it
 * must check whether they are free. 2 (EXCEEDS_STOCK): it wants more than the stock. Null without counted
 * products. The columns are written out in full: drizzle omits the table name in a query of one table.
 */
const HELD = 0;
export const UNHELD = 1;
export const EXCEEDS_STOCK = 2;
export const holdState = sql<number | null>`(
  select max(case
    when p.stock < l.quantity then ${sql.raw(String(EXCEEDS_STOCK))}
    when exists (
      select from ${stockHolds} h
      where h.checkout_id = checkouts.id and h.product_id = p.id and h.expires_at > now()
    ) then ${sql.raw(String(HELD))}
    else ${sql.raw(String(UNHELD))} end)
  from jsonb_to_recordset(checkouts.lines) l ("productId" int, quantity int)
  join ${products} p on p.id = l."productId" where p.stock is not null
)`;

/** Deletes holds that ended so long ago that the customer may hold the product again. */
export async function deleteEndedHolds(tx: Writer): Promise<void> {
  await tx.execute(sql`delete from ${stockHolds} where expires_at < now() - ${maxHoldTime()}`);
}
