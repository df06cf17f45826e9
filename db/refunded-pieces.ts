import { type SQL, sql } from "drizzle-orm";

/**
 * Pieces of an order line whose money goes back, or has gone: of the refunds `r` that count. The columns are
 * written out: drizzle leaves the table away where a query has only one.
 */
export const refundedPieces = (
  counts: SQL = sql`r.status <> 'failed'`,
): SQL<number> => sql<number>`(
  select coalesce(sum(p.quantity), 0)::int from refund_lines p join refunds r on r.id = p.refund_id
  where p.order_line_id = order_lines.id and (${counts})
)`;
