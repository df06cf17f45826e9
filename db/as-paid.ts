import { sql } from "drizzle-orm";

// Staff may correct the totals of orders and invoices; what was paid stays what it was. The columns are written
// out: drizzle leaves the table away where a query has only one.

/** Cents that were paid for an order. The earliest version of an invoice is the one that was issued. */
export const paidCents = sql<number>`coalesce(
  (select c.total_cents from checkouts c where c.order_id = orders.id),
  (select coalesce(
      (select (v.content->>'totalCents')::int from invoice_versions v
        where v.invoice_id = i.id order by v.version limit 1),
      i.total_cents)
    from invoices i where i.order_id = orders.id and i.source = 'checkout'),
  orders.total_cents)`;

/** Has all that was paid for an order gone back? */
export const isAllRefunded = sql<boolean>`(
  orders.refunded_cents > 0 and orders.refunded_cents >= ${paidCents})`;

/** The orders of refunds that have failed, unless another one was begun since, or all the money has gone back. */
export const ordersToRefundAgain = sql`select distinct r.order_id
  from refunds r join orders on orders.id = r.order_id
  where r.status = 'failed' and r.origin <> 'dispute' and not ${isAllRefunded}
    and not exists (select from refunds later
      where later.order_id = r.order_id and later.id > r.id and later.status <> 'failed')`;
