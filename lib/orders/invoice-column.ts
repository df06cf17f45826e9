import { type SQL, sql } from "drizzle-orm";

/**
 * A column of an order's invoice that is not archived. That of the payment comes before any that staff wrote
 * besides, of which it is the newest; null without one. To be used in a query of `orders`.
 *
 * @param condition of the invoice, which is called `i`
 */
export const invoiceColumn = (column: "id" | "number", condition: SQL = sql`true`) => sql`(
  select i.${sql.identifier(column)} from invoices i
  where i.order_id = orders.id and i.archived_at is null and ${condition}
  order by i.source = 'checkout' desc, i.id desc limit 1
)`;
