import { type SQL, sql } from "drizzle-orm";

/**
 * SQL for a column of an order's invoice, for use in a query of `orders`. Archived invoices do not count. The
 * invoice of the payment comes first, then the newest invoice written by admins; null without an invoice.
 *
 * @param condition on the invoice, whose alias is `i`
 */
export const invoiceColumn = (column: "id" | "number", condition: SQL = sql`true`) => sql`(
  select i.${sql.identifier(column)} from invoices i
  where i.order_id = orders.id and i.archived_at is null and ${condition}
  order by i.source = 'checkout' desc, i.id desc limit 1
)`;
