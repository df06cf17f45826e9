import { randomUUID } from "node:crypto";
import { isDatabaseUnavailable } from "@/lib/errors/database-unavailable";
import { FAILURES, Failure, type FailureKind, fail } from "@/lib/errors/failure";
import { sqlErrorIn } from "@/lib/errors/sql-error";
import { docsLink } from "@/lib/http/api/docs-link";
import { COMMON_HEADERS } from "@/lib/http/headers";
import { log } from "@/lib/http/server/log";
import { loggedPath } from "@/lib/http/server/logged-path";
import { currentRequestId } from "@/lib/http/server/request-context";

const INTERNAL = "Une erreur interne est survenue. Veuillez réessayer plus tard.";

/** The statuses a refusal can have, with their French titles, for the documentation. */
export const PROBLEM_TITLES: Readonly<Record<number, string>> = {
  ...Object.fromEntries(Object.values(FAILURES).map(({ status, title }) => [status, title])),
  500: "Erreur interne",
};

/** Logged for those who watch for attacks: wrong passwords and tokens, missing rights, limits. */
const LOGGED: ReadonlySet<FailureKind> = new Set(["unauthorized", "forbidden", "tooMany"]);

const HEADERS = {
  ...COMMON_HEADERS,
  "Content-Type": "application/problem+json; charset=utf-8",
  "Cache-Control": "no-store",
};

/**
 * Any thrown value as the French JSON answer that the contract prescribes.
 *
 * @param errorsMap adds `errors: {field: message}` to violations and 403, where clients show such a map
 * @param request for the log
 */
export function problem(
  error: unknown,
  { errorsMap = false, request }: { errorsMap?: boolean; request: Request },
): Response {
  const failure = error instanceof Failure ? error : fromDatabase(error);
  const call = { method: request.method, path: loggedPath(request.url) };
  if (failure === null) return internalError(error, { request, call });
  if (failure !== error) log.warn({ err: error, ...call }, "refused by the database");

  const { status } = FAILURES[failure.kind];
  if (LOGGED.has(failure.kind)) log.info({ status, ...call }, "refused");
  const body = problemBody({ status, detail: failure.message });
  Object.assign(body, failure.details);
  if (status >= 500) body.requestId = requestId();
  const headers: Record<string, string> = { ...HEADERS, ...failure.headers };
  // A client that shows why a write was refused needs the absolute link.
  if (request.method !== "GET" && request.method !== "HEAD") headers.Link = docsLink(request);
  if (failure.kind === "violations") {
    body["@context"] = "/api/contexts/ConstraintViolationList";
    body["@type"] = "ConstraintViolationList";
    body.violations = failure.violations;
    if (errorsMap) body.errors = errorsOf(failure);
  }
  if (failure.kind === "forbidden" && errorsMap) body.errors = { general: failure.message };
  if (failure.kind === "unauthorized") {
    headers["WWW-Authenticate"] = "Bearer";
    body.code = 401;
    body.message = failure.message;
  }
  if (failure.retryAfter !== undefined)
    headers["Retry-After"] = String(Math.ceil(failure.retryAfter));
  return new Response(JSON.stringify(body), { status, headers });
}

function problemBody({ status, detail }: { status: number; detail: string }) {
  const title = PROBLEM_TITLES[status];
  const body: Record<string, unknown> = {
    "@context": "/api/contexts/Error",
    "@id": `/api/errors/${status}`,
    "@type": "hydra:Error",
    type: `/api/errors/${status}`,
    status,
    title,
    detail,
    description: detail,
    "hydra:title": title,
    "hydra:description": detail,
    error: detail,
  };
  return body;
}

/** The first sentence per field; what concerns the whole form stands under `general`. */
function errorsOf({ violations }: Failure): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { propertyPath, message } of violations) errors[propertyPath || "general"] ??= message;
  return errors;
}

function internalError(
  error: unknown,
  { request, call }: { request: Request; call: object },
): Response {
  // The client has left while sending its body: no error of the shop.
  const level = request.signal.aborted ? "debug" : "error";
  const id = requestId();
  log[level]({ err: error, requestId: id, ...call }, "request failed");
  const body = problemBody({ status: 500, detail: INTERNAL });
  body.requestId = id;
  return new Response(JSON.stringify(body), {
    status: 500,
    headers: { ...HEADERS, "X-Request-Id": id },
  });
}

/** The id under which the error is in the log. */
function requestId(): string {
  return currentRequestId() ?? randomUUID();
}

/**
 * What PostgreSQL refuses because of the data is the client's error. A safety net below the schemas,
 * which should have refused it: hence the warning in the log.
 */
function fromDatabase(error: unknown): Failure | null {
  if (isDatabaseUnavailable(error)) return fail.unavailable();
  const code = sqlErrorIn(error)?.code;
  if (code === undefined) return null;
  // Data exceptions: NUL bytes, numbers out of range, malformed values, texts too long.
  if (code.startsWith("22") && code !== "22012")
    return fail.badRequest("Une des valeurs envoyées n'est pas acceptable.");
  switch (code) {
    case "23505":
      return fail.conflict("Cet élément existe déjà.");
    case "23503":
      return fail.conflict("Un élément lié n'existe pas, ou dépend encore de celui-ci.");
    case "23502":
    case "23514":
      return fail.violation("", "Une des valeurs envoyées n'est pas acceptable.");
    // Serialization failure, deadlock: the client may retry.
    case "40001":
    case "40P01":
    // Lock timeout.
    case "55P03":
      return fail.unavailable();
    default:
      return null;
  }
}
