import { sql } from "drizzle-orm";

// Admins may correct the totals of orders and invoices; the amount paid does not change. Column names are
// written with their table, because drizzle omits the table in queries of one table.

/** Cents paid for an order. The earliest version of an invoice is the issued one. */
export const paidCents = sql<number>`coalesce(
  (select c.total_cents from checkouts c where c.order_id = orders.id),
  (select coalesce(
      (select (v.content->>'totalCents')::int from invoice_versions v
        where v.invoice_id = i.id order by v.version limit 1),
      i.total_cents)
    from invoices i where i.order_id = orders.id and i.source = 'checkout'),
  orders.total_cents)`;

/** Whether all the money paid for an order was refunded. */
export const isAllRefunded = sql<boolean>`(
  orders.refunded_cents > 0 and orders.refunded_cents >= ${paidCents})`;

/** Orders with a failed refund, except where a later refund was started or all the money was refunded. */
export const ordersToRefundAgain = sql`select distinct r.order_id
  from refunds r join orders on orders.id = r.order_id
  where r.status = 'failed' and r.origin <> 'dispute' and not ${isAllRefunded}
    and not exists (select from refunds later
      where later.order_id = r.order_id and later.id > r.id and later.status <> 'failed')`;
