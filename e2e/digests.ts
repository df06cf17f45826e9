import { sql } from "drizzle-orm";
import type { Database } from "@/db";

/**
 * One digest per table, over all its rows: what a refused call must leave as it was. Without the
 * mails on their way, which the shop sends in its own time.
 */
export async function digests(db: Database): Promise<Record<string, string>> {
  const { rows: tables } = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'mail_outbox'
    order by 1`);
  const parts = tables.map(
    ({ name }) => sql`select ${name} as name,
      md5(coalesce(string_agg(t::text, '' order by t::text), '')) as digest
      from ${sql.identifier(name)} t`,
  );
  const { rows } = await db.execute<{ name: string; digest: string }>(
    sql.join(parts, sql` union all `),
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
