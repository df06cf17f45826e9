import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { db } from "@/db";
import { countAtMost } from "@/db/count";
import { listFailedMails } from "@/lib/mail/failed";
import { ADMIN_ROLE } from "@/lib/roles";
import { readMissingToSell, readSeller } from "@/lib/seller/queries";
import type { dashboardAnswer } from "./resource";
import type { Period } from "./rules";
import { readWaiting } from "./waiting";

/** Rows of each list. */
const LIST_SIZE = 10;
/** Above this number a count is an estimate. */
const MAX_COUNTED = 20_000;

type Json = z.output<typeof dashboardAnswer>;
type LatestOrder = Omit<Json["latestOrders"][number], "total"> & { totalCents: number };

export type Dashboard = Awaited<ReturnType<typeof getDashboard>>;

/** Today in France, and its midnight. */
const TODAY = sql`(now() at time zone 'Europe/Paris')::date`;
const MIDNIGHT = sql`(${TODAY}::timestamp at time zone 'Europe/Paris')`;

/** "7 jours" are today and the six days before, "12 mois" this month and the eleven before. */
const PERIOD_START: Record<Period, SQL> = {
  "7d": sql`${TODAY} - 6`,
  "30d": sql`${TODAY} - 29`,
  "90d": sql`${TODAY} - 89`,
  "12m": sql`date_trunc('month', ${TODAY}::timestamp) - interval '11 months'`,
};

/** The data of the back office's home page. */
export async function getDashboard(name: Period) {
  const [
    waiting,
    today,
    newCustomers,
    reviewsPending,
    period,
    latest,
    pending,
    withoutImage,
    withoutImageTotal,
    seller,
    missingToSell,
    failedMails,
  ] = await Promise.all([
    readWaiting(),
    salesSince(TODAY),
    countAtMost({
      query: sql`select from users where created_at >= ${MIDNIGHT}
        and not roles @> array[${ADMIN_ROLE}]`,
      max: MAX_COUNTED,
    }),
    countAtMost({ query: sql`select from reviews where status = 'PENDING'`, max: MAX_COUNTED }),
    salesSince(PERIOD_START[name]),
    db.execute<LatestOrder>(sql`
        select o.id, o.number, ${isoDate(sql`o.ordered_at`)} as date,
          o.total_cents as "totalCents", ${person()} as user,
          json_build_object('name', o.buyer_last_name, 'lastname', o.buyer_first_name) as buyer
        from orders o left join users u on u.id = o.user_id
        order by o.ordered_at desc, o.id desc limit ${LIST_SIZE}`),
    // The reviews that have waited longest come first.
    db.execute<Json["pendingReviews"][number]>(sql`
        select r.id, r.rating, r.content, ${isoDate(sql`r.published_at`)} as date,
          json_build_object('id', p.id, 'name', p.name) as product, ${person()} as user
        from (select * from reviews where status = 'PENDING'
          order by published_at limit ${LIST_SIZE}) r
        join products p on p.id = r.product_id join users u on u.id = r.user_id
        order by r.published_at, r.id`),
    db.execute<{ id: number; name: string }>(sql`
        select p.id, p.name from products p where coalesce(p.image, '') = ''
        order by p.id desc limit ${LIST_SIZE}`),
    countAtMost({
      query: sql`select from products p where coalesce(p.image, '') = ''`,
      max: MAX_COUNTED,
    }),
    readSeller(),
    readMissingToSell(),
    listFailedMails(),
  ]);
  return {
    waiting,
    today: { ...today, newCustomers, reviewsPending },
    period: { ...period, name },
    latestOrders: latest,
    pendingReviews: pending,
    productsWithoutImage: { total: withoutImageTotal, items: withoutImage },
    sellerIsKnown: seller.version > 0,
    termsAreKnown: seller.terms !== "",
    missingToSell,
    failedMails,
  };
}

/** Sales since the beginning of this day in France. */
async function salesSince(day: SQL) {
  const [sales] = await db.execute<{ orders: number; cents: string }>(sql`
    select coalesce(sum(orders), 0)::int as orders, coalesce(sum(total_cents), 0)::text as cents
    from order_sums where day >= ${day}`);
  return { orders: sales?.orders ?? 0, totalCents: Number(sales?.cents ?? 0) };
}

const isoDate = (column: SQL) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`;

/** The API calls the family name `name`. */
const person = () => sql`case when u.id is not null then
  json_build_object('id', u.id, 'name', u.last_name, 'lastname', u.first_name) end`;
