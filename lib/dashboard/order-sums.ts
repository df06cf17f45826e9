import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { dateRangeConditions, momentOf } from "@/lib/backoffice/list-order";
import type { DateBound, DateQuery } from "@/lib/backoffice/list-query";
import { offsetOf, type Page, plainArrayPart } from "@/lib/http/api/paging";
import { eurosFromCents } from "@/lib/money";
import type { OrderSum } from "@/lib/orders/admin-resource";
import type { Interval, OrderChartQuery } from "@/lib/orders/admin-schemas";

/** The requested page of the sums; by default the newest sums. */
export async function listOrderSumsPage(
  query: DateQuery & Pick<OrderChartQuery, "page" | "itemsPerPage"> & { interval: Interval },
): Promise<Page<OrderSum>> {
  const sums = await listOrderSums(query);
  const part = plainArrayPart(query);
  const isPaged = query.page !== undefined || query.itemsPerPage !== undefined;
  const offset = isPaged ? offsetOf(part) : Math.max(0, sums.length - part.itemsPerPage);
  return { items: sums.slice(offset, offset + part.itemsPerPage), total: sums.length };
}

/** The sums of orders less refunds, by day, week (from Monday) or month in France, oldest first. */
export async function listOrderSums({
  interval,
  ...query
}: DateQuery & { interval: Interval }): Promise<OrderSum[]> {
  const rows = await db.execute<{ date: string; cents: string; count: number }>(sql`
    select to_char(date_trunc(${interval}, day::timestamp), 'YYYY-MM-DD') as date,
      sum(total_cents)::text as cents, sum(orders)::int as count
    from (${sumsByDay(query)}) sums
    group by 1 having sum(orders) > 0 order by 1`);
  return rows.map(({ date, cents, count }) => ({
    date,
    total: eurosFromCents(Number(cents)),
    count,
  }));
}

/**
 * Orders and cents by day in France; a day may have several rows. The sums of whole days are stored
 * (db/schema/orders.ts). On a day in which the range begins or ends, the orders themselves are read.
 */
function sumsByDay(query: DateQuery): SQL {
  const { "date[after]": after, "date[before]": before } = query;
  const parted = [after, before].flatMap((bound) =>
    bound && !("day" in bound) ? dayOf(bound) : [],
  );
  const whole = [
    ...(after ? [sql`day >= ${dayOf(after)}`] : []),
    ...(before ? [sql`day <= ${dayOf(before)}`] : []),
    ...parted.map((day) => sql`day <> ${day}`),
  ];
  const parts = parted.map(
    (day) =>
      sql`(o.ordered_at >= ${midnight(day)} and o.ordered_at < ${midnight(sql`${day} + 1`)})`,
  );
  return sql`
    select day, orders, total_cents from order_sums
    where ${sql.join([sql`true`, ...whole], sql` and `)}
    union all
    select ${dayIn(sql`o.ordered_at`)}, 1, o.total_cents - o.refunded_cents from orders o
    where (${sql.join([sql`false`, ...parts], sql` or `)})
      and ${sql.join([sql`true`, ...dateRangeConditions(sql`o.ordered_at`, query)], sql` and `)}`;
}

const dayOf = (bound: DateBound) =>
  "day" in bound ? sql`${bound.day}::date` : dayIn(momentOf(bound));

const dayIn = (instant: SQL) => sql`(${instant} at time zone 'Europe/Paris')::date`;

const midnight = (day: SQL) => sql`((${day})::timestamp at time zone 'Europe/Paris')`;
