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
 * A customer keeps pieces of a product for this many times STOCK_HOLD_MINUTES at most, however often they open
 * the payment, in whichever checkouts. Then they hold none of it for as long: others may have the pieces
 * meanwhile, and the customer pays for what is free, as somebody who pays late does.
 */
const MAX_HOLDS = 3;

const minutes = (count: number) => sql`make_interval(mins => ${count})`;
const holdTime = () => minutes(env().STOCK_HOLD_MINUTES);
const maxHoldTime = () => minutes(MAX_HOLDS * env().STOCK_HOLD_MINUTES);

/**
 * Holds the pieces of a customer's pending checkout for STOCK_HOLD_MINUTES, or what MAX_HOLDS leave of them, if
 * all are free; a checkout of another cart holds nothing. Both statements are sent at once, before those of the
 * caller that follow: the second sees what was committed while the first waited for the lock.
 *
 * @param fingerprint the cart that the checkout must be of
 * @returns the products of which others leave too little; then the transaction must not commit
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

/** How many pieces of product `p` nobody but this customer holds; null where they are not counted. */
export const freePieces = ({ userId }: { userId: number }) =>
  sql<number | null>`case when products.stock is not null then (
    products.stock - ${heldByOthers({ id: sql`products.id`, isOwn: sql`c.user_id = ${userId}` })}
  )::int end`;

/**
 * Whether a checkout has the pieces of its counted products: 0 holds all of them, 1 has to look whether they
 * are free, 2 wants more than there are; null without counted products. The columns are written out: drizzle
 * leaves the table away where a query has only one.
 */
const HELD = 0;
export const UNHELD = 1;
export const TOO_FEW = 2;
export const holdState = sql<number | null>`(
  select max(case
    when p.stock < l.quantity then ${sql.raw(String(TOO_FEW))}
    when exists (
      select from ${stockHolds} h
      where h.checkout_id = checkouts.id and h.product_id = p.id and h.expires_at > now()
    ) then ${sql.raw(String(HELD))}
    else ${sql.raw(String(UNHELD))} end)
  from jsonb_to_recordset(checkouts.lines) l ("productId" int, quantity int)
  join ${products} p on p.id = l."productId" where p.stock is not null
)`;

/** Deletes holds that ended so long ago that their customer may hold the product anew. */
export async function deleteEndedHolds(tx: Writer): Promise<void> {
  await tx.execute(sql`delete from ${stockHolds} where expires_at < now() - ${maxHoldTime()}`);
}
