import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { db } from "@/db";
import { ordersToRefundAgain } from "@/db/as-paid";
import type { dashboardAnswer } from "./resource";
import { MAX_WAITING } from "./rules";

type Waiting = z.output<typeof dashboardAnswer>["waiting"];

// Each condition matches a partial index, so that the time does not grow with the shop.
const COUNTS = {
  // An order of files only is delivered as soon as it is paid.
  toPrepare: sql`select from orders where status = 'paid'`,
  toShip: sql`select from orders where status = 'preparing'`,
  withdrawals: sql`select from withdrawals where state = 'received'`,
  lowStock: sql`select from products where stock > 0 and stock <= low_stock_threshold`,
  soldOut: sql`select from products where stock = 0`,
  // Only methods with prices by weight count a missing weight as zero.
  withoutWeight: sql`select from products where weight is null and type = 'physical'
    and exists (select from shipping_methods where is_active and bands <> '[]')`,
  failedRefunds: ordersToRefundAgain,
  disputes: sql`select distinct order_id from refunds
    where status = 'pending' and origin = 'dispute' and order_id is not null`,
} satisfies Record<Exclude<keyof Waiting, "refundBy">, SQL>;

/** Counts the items that wait for admins, in one statement, each up to one more than `MAX_WAITING`. */
export async function readWaiting(): Promise<Waiting> {
  const counts = Object.entries(COUNTS).map(
    ([name, query]) =>
      sql`(select count(*)::int from (${query} limit ${MAX_WAITING + 1}) found) as ${sql.identifier(name)}`,
  );
  const rows = await db.execute<Waiting>(sql`
    select ${sql.join(counts, sql`, `)},
      (select to_char(refund_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')
        from withdrawals where state = 'received' order by refund_by, id limit 1) as "refundBy"`);
  const [waiting] = rows;
  if (!waiting) throw new Error("Nothing was counted.");
  return waiting;
}
