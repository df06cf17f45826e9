import { sql } from "drizzle-orm";
import type { Database } from "@/db";

/**
 * One digest per table, over all its rows: a refused call must not change them. Leaves out what the shop
 * changes in the background: the mail outbox, products bought together, the time of a checkout's next check,
 * and whether its payment has the order number.
 */
export async function digests(db: Database): Promise<Record<string, string>> {
  const tables = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('mail_outbox', 'bought_together', 'bought_together_progress')
    order by 1`);
  const parts = tables.map(
    ({ name }) => sql`select ${name} as name,
      concat(count(*), ':', sum(hashtextextended(row::text, 0)::numeric)) as digest
      from (select ${name === "checkouts" ? sql`to_jsonb(t) - 'next_check_at' - 'is_order_number_written'` : sql`t`} as row
        from ${sql.identifier(name)} t) as rows`,
  );
  const rows = await db.execute<{ name: string; digest: string }>(
    sql.join(parts, sql` union all `),
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
