interface SqlError {
  /** SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
  code: string;
  /** The violated constraint or unique key, for errors that have one. */
  constraint: string | undefined;
}

/** How many levels of causes are searched. */
const DEPTH = 5;

/**
 * The error of PostgreSQL in a thrown error or its causes (drizzle wraps the driver's); null without one.
 * Errors of Node.js may have codes of five characters, too, but they have no severity.
 */
export function sqlErrorIn(error: unknown): SqlError | null {
  let current = error;
  for (let depth = 0; depth < DEPTH && typeof current === "object" && current !== null; depth++) {
    const {
      code,
      severity,
      constraint_name: constraint,
      cause,
    } = current as Record<string, unknown>;
    if (typeof code === "string" && code.length === 5 && severity !== undefined)
      return { code, constraint: typeof constraint === "string" ? constraint : undefined };
    current = cause;
  }
  return null;
}
