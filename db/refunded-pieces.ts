import { type SQL, sql } from "drizzle-orm";

/**
 * Pieces of an order line that are refunded, or about to be: the sum over the refunds `r` that count. Column
 * names are written with their table, because drizzle omits the table in queries of one table.
 */
export const refundedPieces = (
  counts: SQL = sql`r.status <> 'failed'`,
): SQL<number> => sql<number>`(
  select coalesce(sum(p.quantity), 0)::int from refund_lines p join refunds r on r.id = p.refund_id
  where p.order_line_id = order_lines.id and (${counts})
)`;
