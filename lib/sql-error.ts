/** An error of PostgreSQL. */
interface SqlError {
  /** SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
  code: string;
  /** The violated constraint or unique key, for errors that have one. */
  constraint: string | undefined;
}

/**
 * PostgreSQL's error among what was thrown and its causes (drizzle wraps the driver's); null where
 * there is none. Errors of Node.js may have codes of five characters, too, but no severity.
 */
export function sqlErrorIn(error: unknown): SqlError | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, severity, constraint_name: constraint } = at as Error & Record<string, unknown>;
    if (typeof code === "string" && code.length === 5 && severity !== undefined)
      return { code, constraint: typeof constraint === "string" ? constraint : undefined };
  }
  return null;
}
