import { type BenchDatabase, openDatabase, queryRows } from "@/bench/database";
import {
  aimOf,
  formatFigure,
  printAims,
  printTable,
  type Quantiles,
  quantilesOf,
  saveResults,
} from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { buildShop, type Server, startShop } from "@/bench/shop";

// npm run bench -- backoffice [--products N] – latency of the back office's lists: sorted, filtered,
// searched and on far pages. Compares tables of a thousand rows with ones of N products, orders,
// invoices and reviews and a tenth as many customers.

const SMALL = 1_000;
/** Of each list, on each side. */
const REQUESTS = 100;
/** Before them, for the caches. */
const WARM_UP = 5;
const RATIO_LIMIT = 3;
/** Below this the ratio does not matter. */
const UNNOTICEABLE_MS = 25;

const LISTS: Record<string, readonly string[]> = {
  products: [
    "",
    "order[name]=asc",
    "order[price]=desc",
    "search=lampe",
    "withoutImage=true",
    "stockState=low",
    "stockState=sold_out",
    "order[stock]=asc",
    "page=20",
  ],
  users: [
    "",
    "order[email]=asc",
    "search=durand",
    "role=ROLE_ADMIN",
    "isVerified=false",
    "page=20",
  ],
  addresses: ["", "order[city]=asc", "search=lilas", "type=billing", "page=20"],
  admin_orders: [
    "",
    "order[total]=desc",
    "search=durand",
    "search=lampe",
    "search=lampe durand ville 42",
    "search=01234",
    "search=42,90",
    "search=FA-2026-000042",
    "search=pi_42",
    "search=6A42",
    "date[after]=2026-03-01&date[before]=2026-03-02",
    "todo=prepare",
    "todo=ship",
    "todo=ship&order[date]=asc",
    "todo=refund",
    "status=shipped",
    "status=delivered",
    "status=cancelled",
    "page=20",
  ],
  // Without a page, a thousand of them: what grows is the answer.
  "admin/invoices": [
    "page=1",
    "search=FA-2026-000007",
    "date[after]=2026-03-01&date[before]=2026-03-02&page=1",
    "page=20",
  ],
  reviews: ["", "status=PENDING", "order[rating]=asc", "search=durand", "page=20"],
  carts: ["", "search=durand", "page=20"],
  categories: [""],
  tags: [""],
  orders: [
    "interval=day&date[after]=2026-03-01&date[before]=2026-03-30",
    "interval=month&date[after]=2026-01-01",
  ],
  "admin/dashboard": ["period=30d", "period=12m"],
};

interface Side {
  database: BenchDatabase;
  shop: Server;
  token: string;
}

export async function run({ services, products }: BenchOptions): Promise<number> {
  console.log("Building the shop…");
  await buildShop(services);
  const sides: Side[] = [];
  for (const count of [SMALL, products]) {
    const database = await openDatabase({ services, products: count });
    await fillTables({ url: database.url, rows: count });
    const shop = await startShop({ services, databaseUrl: database.url });
    sides.push({ database, shop, token: await logIn(shop) });
  }
  const [small, large] = sides;
  if (!small || !large) throw new Error("Nothing to compare.");

  const results: { path: string; small: Quantiles; large: Quantiles }[] = [];
  for (const [list, queries] of Object.entries(LISTS))
    for (const query of queries) {
      const path = `/api/${list}${query && `?${query}`}`;
      results.push({ path, ...(await measure({ small, large, path })) });
    }
  printTable(
    ["ms", "p50 small", "p99 small", "p50", "p99", "ratio p50", "ratio p99"],
    results.map(({ path, small, large }) => [
      path,
      ...[small.p50, small.p99, large.p50, large.p99].map(formatFigure),
      formatFigure(large.p50 / small.p50),
      formatFigure(large.p99 / small.p99),
    ]),
  );
  const aims = results.flatMap(({ path, small, large }) =>
    (["p50", "p99"] as const)
      .filter((quantile) => large[quantile] > UNNOTICEABLE_MS)
      .map((quantile) =>
        aimOf({
          name: `${quantile}, ${path}`,
          value: large[quantile] / small[quantile],
          atMost: RATIO_LIMIT,
        }),
      ),
  );
  printAims(aims);
  saveResults("backoffice", { products, results, aims });
  for (const { shop, database } of sides) {
    await shop.stop({ isForced: false });
    await database.stop({ isForced: false });
  }
  return 0;
}

/**
 * The state of order `i` among `rows`: the newest are open, some old ones still are, and some are cancelled.
 */
const stateAmong = (rows: number) => `case
  when i % 500 = 0 then 'cancelled'
  when i % 997 = 0 then 'preparing'
  when i > ${rows} * 0.99 then 'paid'
  when i > ${rows} * 0.985 then 'preparing'
  when i > ${rows} * 0.97 then 'shipped'
  else 'delivered' end`;

const ADMIN = { email: "staff@mini-ecommerce.test", password: "Staff-2026!" };

/** Fills the shop's other tables, unless that has been done. */
async function fillTables({ url, rows }: { url: string; rows: number }): Promise<void> {
  const [known] = await queryRows<{ count: number }>({
    url,
    sql: `select count(*)::int as count from users where email = '${ADMIN.email}'`,
  });
  if (known && known.count > 0) return;
  console.log(`Filling the tables for ${rows} orders…`);
  const people = Math.max(SMALL, Math.round(rows / 10));
  const { hashPassword } = await import("@/lib/auth/password");
  const passwordHash = await hashPassword(ADMIN.password);
  const names = "(array['Durand','Martin','Leroy','Moreau','Petit','Roux','Fontaine','Garnier'])";
  const statements = [
    // One product in 50 is sold out, one is low.
    `update products set stock = case id % 50 when 0 then 0 when 1 then 2 else 500 end, low_stock_threshold = 5
     where type = 'physical'`,
    `insert into stock_movements (product_id, kind, quantity, reason)
     select id, 'correction', 500, 'Inventaire' from products where stock is not null`,
    `insert into stock_movements (product_id, kind, quantity, reason)
     select id, 'correction', stock - 500, 'Casse' from products where stock < 500`,
    `insert into users (email, password_hash, first_name, last_name, is_verified, created_at)
     select 'client' || i || '@exemple.test', '-', 'Client' || i, ${names}[1 + i % 8] || i % 997,
       i % 50 <> 0, now() - i * interval '1 minute' from generate_series(1, ${people}) i`,
    `insert into users (email, password_hash, first_name, last_name, is_verified, roles)
     values ('${ADMIN.email}', '${passwordHash}', 'Staff', 'Staff', true, '{ROLE_USER,ROLE_ADMIN}')`,
    `insert into addresses (user_id, street, city, postal_code, type)
     select 1 + i % ${people}, i || ' rue des Lilas', 'Ville ' || i % 5000, lpad((i % 95000)::text, 5, '0'),
       case when i % 3 = 0 then 'billing' else 'shipping' end from generate_series(1, ${people * 2}) i`,
    `insert into carts (user_id) select i from generate_series(1, ${people}) i on conflict do nothing`,
    `insert into cart_items (cart_id, product_id, quantity, seen_name, seen_price_cents)
     select id, 1 + id % ${rows}, 1, 'Lampe', 1000 from carts on conflict do nothing`,
    // The triggers that would copy the names of the lines are off.
    `insert into orders (number, user_id, buyer_email, buyer_first_name, buyer_last_name, payment_intent_id,
       total_cents, shipping_street, shipping_city, shipping_postal_code, billing_street, billing_city,
       billing_postal_code, product_names, ordered_at, status)
     select 'CMD-2026-' || lpad(i::text, 6, '0'), u.id, u.email, u.first_name, u.last_name, 'pi_' || i,
       1000 + i * 37 % 90000, i % 200 || ' rue des Lilas', 'Ville ' || i % 5000,
       lpad((i % 95000)::text, 5, '0'), '1 rue', 'Lyon', '69003', 'Lampe Aube',
       timestamptz '2026-01-01' + i * interval '320 days' / ${rows}, ${stateAmong(rows)}
     from generate_series(1, ${rows}) i join users u on u.id = 1 + i % ${people}
     on conflict do nothing`,
    `insert into order_lines (order_id, product_id, product_type, name, unit_price_cents, vat_rate_bp, quantity)
     select id, 1 + id % ${rows}, 'physical', 'Lampe Aube', total_cents, 2000, 1 from orders`,
    // On both sides 20 withdrawals wait, and 10 refunds have failed: they do not grow with the years.
    `insert into withdrawals (order_id, user_id, order_number, state, created_at)
     select id, user_id, number, case when id % ${rows / 20} = 0 then 'received' else 'refunded' end, ordered_at
     from orders where id % 50 = 0`,
    `insert into refunds (order_id, payment_intent_id, origin, status, amount_cents, reason, created_at)
     select id, 'pi_' || id, 'staff', case when id % ${rows / 10} = ${rows / 20} then 'failed' else 'succeeded' end, 100,
       'Retour', ordered_at from orders where id % 50 = 0`,
    `insert into shipments (order_id, carrier, tracking_number, shipped_at)
     select id, 'Colissimo', '6A' || id, ordered_at from orders where status in ('shipped', 'delivered')`,
    `insert into shipment_lines (shipment_id, order_line_id, quantity)
     select s.id, l.id, 1 from shipments s join order_lines l on l.order_id = s.order_id`,
    `update order_lines l set shipped_quantity = 1 from orders o
     where o.id = l.order_id and o.status in ('shipped', 'delivered')`,
    `insert into invoices (number, user_id, order_id, source, total_cents, payment_id, snapshot, issued_at)
     select 'FA-2026-' || lpad(id::text, 6, '0'), user_id, id, 'checkout', total_cents, 'pi_' || id,
       '{"seller":{},"buyer":{"firstName":"Client","lastName":"Durand","email":"c@exemple.test"},"shippingAddress":null,"billingAddress":null,"orderNumber":null,"lines":[]}',
       ordered_at from orders on conflict do nothing`,
    `insert into reviews (product_id, user_id, rating, content, status, published_at)
     select 1 + i % ${rows}, 1 + (i::bigint * 7919 % ${people})::int, 1 + i % 5, 'Très bien, avis numéro ' || i,
       (array['VALIDATED','VALIDATED','VALIDATED','PENDING','REJECTED'])[1 + i % 5], now() - i * interval '1 minute'
     from generate_series(1, ${rows}) i on conflict do nothing`,
  ];
  for (const statement of statements) {
    // Without the triggers that maintain the products' counters, which nothing here reads.
    await queryRows({ url, sql: `set session_replication_role = replica; ${statement}` });
  }
  await queryRows({ url, sql: "select order_sums_recount()" });
  await queryRows({ url, sql: "vacuum analyze" });
}

async function logIn(shop: Server): Promise<string> {
  const response = await fetch(`${shop.origin}/api/login_check`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: ADMIN.email, password: ADMIN.password }),
  });
  const { token } = (await response.json()) as { token?: string };
  if (!token) throw new Error(`No token: ${response.status}`);
  return token;
}

/**
 * Response times in milliseconds. Requests a list of both sides in turn, so that whatever else the machine
 * does slows both.
 */
async function measure({
  path,
  ...sides
}: {
  small: Side;
  large: Side;
  path: string;
}): Promise<{ small: Quantiles; large: Quantiles }> {
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < WARM_UP + REQUESTS; i++) {
    small.push(await responseTime(sides.small, path));
    large.push(await responseTime(sides.large, path));
  }
  return { small: quantilesOf(small.slice(WARM_UP)), large: quantilesOf(large.slice(WARM_UP)) };
}

async function responseTime({ shop, token }: Side, path: string): Promise<number> {
  const begin = performance.now();
  const response = await fetch(shop.origin + path, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  return performance.now() - begin;
}
