/**
 * Of the network and of PostgreSQL: going down, starting, out of connections, connection lost, idle
 * for too long in a transaction.
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

const UNAVAILABLE_MESSAGE =
  /Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end/;

/** SQLSTATE of a statement timeout. */
const STATEMENT_TIMEOUT_CODE = "57014";

/** The client's timeouts: for a connection, for a response. */
const TIMEOUT_MESSAGE = /timeout exceeded when trying to connect|Query read timeout/;

/**
 * Is the database unavailable or too slow, rather than the query wrong? Also looks into the causes.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDatabaseTimeout(error) || someCause(error, isConnectionFailure);
}

/** Did it run into a timeout, so that an immediate retry is of no use? */
export function isDatabaseTimeout(error: unknown): boolean {
  return someCause(
    error,
    ({ code, message }) => code === STATEMENT_TIMEOUT_CODE || TIMEOUT_MESSAGE.test(message),
  );
}

type CodedError = Error & { code?: unknown };

/** A migration has changed the result of a prepared statement: another connection prepares it again. */
const STALE_PLAN = /^cached plan must not change result type$/;

const isConnectionFailure = ({ code, message }: CodedError) =>
  UNAVAILABLE_CODES.has(code) || UNAVAILABLE_MESSAGE.test(message) || STALE_PLAN.test(message);

function someCause(error: unknown, test: (error: CodedError) => boolean): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (test(at)) return true;
    if (at instanceof AggregateError && at.errors.some((each) => someCause(each, test)))
      return true;
  }
  return false;
}
