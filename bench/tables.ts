import { queryRows } from "@/bench/database";
import { hashPassword } from "@/lib/auth/password";

// Orders, invoices, shipments, reviews … of a shop that has been open for years, in bulk SQL.

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

export const ADMIN = { email: "staff@mini-ecommerce.test", password: "Staff-2026!" };

/** Fills the shop's other tables, unless that has been done. */
export async function fillTables({ url, rows }: { url: string; rows: number }): Promise<void> {
  const [known] = await queryRows<{ count: number }>({
    url,
    sql: `select count(*)::int as count from users where email = '${ADMIN.email}'`,
  });
  if (known && known.count > 0) return;
  console.log(`Filling the tables for ${rows} orders…`);
  const people = Math.max(1_000, Math.round(rows / 10));
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
     select id, user_id, number, case when id % (${rows} / 20) = 0 then 'received' else 'refunded' end, ordered_at
     from orders where id % 50 = 0`,
    `insert into refunds (order_id, payment_intent_id, origin, status, amount_cents, reason, created_at)
     select id, 'pi_' || id, 'staff', case when id % (${rows} / 10) = ${rows} / 20 then 'failed' else 'succeeded' end, 100,
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
    // Last: marks the tables as filled.
    `insert into users (email, password_hash, first_name, last_name, is_verified, roles)
     values ('${ADMIN.email}', '${passwordHash}', 'Staff', 'Staff', true, '{ROLE_USER,ROLE_ADMIN}')`,
  ];
  for (const statement of statements) {
    // Without the triggers that maintain the products' counters, which nothing here reads.
    await queryRows({ url, sql: `set session_replication_role = replica; ${statement}` });
  }
  await queryRows({ url, sql: "select order_sums_recount()" });
  await queryRows({ url, sql: "vacuum analyze" });
}
