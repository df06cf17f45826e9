/** The name of the unique key that a write ran into; null for any other error. */
function violatedKey(error: unknown): string | null {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth++) {
    const { code, constraint, cause } = current as {
      code?: unknown;
      constraint?: unknown;
      cause?: unknown;
    };
    if (code === "23505" && typeof constraint === "string") return constraint;
    current = cause;
  }
  return null;
}

/**
 * For `.catch()` behind a transaction: says in its own words which unique key stood against it.
 *
 *     .catch(refuseDuplicate({ users_email_key: () => fail.violation("email", EMAIL_IN_USE) }))
 */
export function refuseDuplicate(refusals: Readonly<Record<string, () => Error>>) {
  return (error: unknown): never => {
    const refusal = refusals[violatedKey(error) ?? ""];
    throw refusal ? refusal() : error;
  };
}
