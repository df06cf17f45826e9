import postgres, { type Sql } from "postgres";
import { ARRAY_TYPES } from "./array-types";

/** With TLS the certificate is always verified: postgres.js does not check it for `sslmode=require`. */
export function sslOf(url: string): "verify-full" | false {
  const mode = new URL(url).searchParams.get("sslmode") ?? "disable";
  return mode === "disable" ? false : "verify-full";
}

/** Opens a connection, or up to `max`, for the duration of `run`. */
export async function withConnection<T>(
  { url, max = 1 }: { url: string; max?: number },
  run: (sql: Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres(url, {
    max,
    connect_timeout: 5,
    ssl: sslOf(url),
    // Commands may run for long.
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
