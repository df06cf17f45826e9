import { sqlErrorIn } from "@/lib/errors/sql-error";

const UNIQUE_VIOLATION = "23505";

/**
 * For `.catch()` after a transaction: maps violated unique keys to errors for the client.
 *
 *     .catch(refuseDuplicate({ users_email_key: () => fail.violation("email", EMAIL_IN_USE) }))
 */
export function refuseDuplicate(refusals: Readonly<Record<string, () => Error>>) {
  return (error: unknown): never => {
    const { code, constraint = "" } = sqlErrorIn(error) ?? {};
    const refusal = code === UNIQUE_VIOLATION ? refusals[constraint] : undefined;
    throw refusal ? refusal() : error;
  };
}
