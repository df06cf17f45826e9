import postgres, { type Sql } from "postgres";
import { ARRAY_TYPES } from "./array-types";

/** TLS means a valid certificate: postgres.js would not look at it for `sslmode=require`. */
export function sslOf(url: string): "verify-full" | false {
  const mode = new URL(url).searchParams.get("sslmode") ?? "disable";
  return mode === "disable" ? false : "verify-full";
}

/** Runs commands on a connection of their own; with `max` some more. */
export async function withConnection<T>(
  { url, max = 1 }: { url: string; max?: number },
  run: (sql: Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres(url, {
    max,
    connect_timeout: 5,
    ssl: sslOf(url),
    // A command may take its time.
    max_lifetime: null,
    onnotice: () => undefined,
    ...ARRAY_TYPES,
  });
  try {
    return await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
