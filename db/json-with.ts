import { type SQL, sql } from "drizzle-orm";

/**
 * A JSON value of which PostgreSQL computes some parts, by their paths: `{ "invoice,number": sql`…` }`.
 * The value has something in their place, `null` for instance.
 */
export function jsonWith<T>(value: T, parts: Readonly<Record<string, SQL>>): SQL<T> {
  return Object.entries(parts).reduce<SQL<T>>(
    (json, [path, part]) => sql`jsonb_set(${json}, ${`{${path}}`}, to_jsonb(${part}))`,
    sql<T>`${JSON.stringify(value)}::jsonb`,
  );
}
