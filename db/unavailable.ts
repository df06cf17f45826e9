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

/** A statement that ran into its time limit, at the server. */
const SLOW_CODE = "57014";

/** No connection was free or could be made in time; no answer came in time. */
const SLOW_MESSAGE = /timeout exceeded when trying to connect|Query read timeout/;

/**
 * Is the database away or too slow, rather than the query wrong? Looks through the errors that wrap
 * others.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDatabaseSlow(error) || some(error, isAway);
}

/** Has it been waited for as long as one may: is trying again at once no use? */
export function isDatabaseSlow(error: unknown): boolean {
  return some(error, ({ code, message }) => code === SLOW_CODE || SLOW_MESSAGE.test(message));
}

type CodedError = Error & { code?: unknown };

/** A migration has changed what a statement kept by its name gives: another connection knows it anew. */
const STALE_PLAN = /^cached plan must not change result type$/;

const isAway = ({ code, message }: CodedError) =>
  UNAVAILABLE_CODES.has(code) || UNAVAILABLE_MESSAGE.test(message) || STALE_PLAN.test(message);

function some(error: unknown, test: (error: CodedError) => boolean): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (test(at)) return true;
    if (at instanceof AggregateError && at.errors.some((each) => some(each, test))) return true;
  }
  return false;
}
