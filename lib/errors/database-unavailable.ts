/**
 * Error codes of the network, of postgres.js and of PostgreSQL: shutting down, starting, out of
 * connections, connection lost, idle for too long in a transaction.
 */
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  "25P03",
  "53300",
  "57P01",
  "57P02",
  "57P03",
]);

/**
 * SQLSTATEs with which PostgreSQL refuses statements until an operator acts: read-only, a role or password
 * that is no longer valid, no such database, disk or memory full. Also the SQLSTATE of a session that
 * PostgreSQL has ended.
 */
const REFUSING_CODES: ReadonlySet<unknown> = new Set([
  "25006",
  "28000",
  "28P01",
  "3D000",
  "53100",
  "53200",
  "57P05",
]);

/** SQLSTATE of a statement timeout. */
const STATEMENT_TIMEOUT_CODE = "57014";

/** The pool's own timeouts: no free connection, or no result in time. */
const POOL_TIMEOUT_CODE = "POOL_TIMEOUT";

/** postgres.js's timeout for a new connection, and the pool's own. */
const CLIENT_TIMEOUT_CODES: ReadonlySet<unknown> = new Set(["CONNECT_TIMEOUT", POOL_TIMEOUT_CODE]);

export const timeoutError = (message: string): Error =>
  Object.assign(new Error(message), { code: POOL_TIMEOUT_CODE });

/** Is the database unavailable or too slow, rather than the query wrong? Also checks the error's causes. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    isDatabaseTimeout(error) ||
    isConnectionLost(error) ||
    someCause(error, ({ code, message }) => REFUSING_CODES.has(code) || STALE_PLAN.test(message))
  );
}

/** Is the error a timeout? Then an immediate retry is of no use. */
export function isDatabaseTimeout(error: unknown): boolean {
  return someCause(
    error,
    ({ code }) => code === STATEMENT_TIMEOUT_CODE || CLIENT_TIMEOUT_CODES.has(code),
  );
}

/** Is the connection unusable, or could none be opened? */
export function isConnectionLost(error: unknown): boolean {
  return someCause(
    error,
    ({ code }) => UNAVAILABLE_CODES.has(code) || CLIENT_TIMEOUT_CODES.has(code),
  );
}

type CodedError = Error & { code?: unknown };

/** A migration has changed the result type of a prepared statement, which is then prepared again. */
const STALE_PLAN = /^cached plan must not change result type$/;

function someCause(error: unknown, test: (error: CodedError) => boolean): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (test(at)) return true;
    if (at instanceof AggregateError && at.errors.some((each) => someCause(each, test)))
      return true;
  }
  return false;
}
