import { type Histogram, metrics } from "@opentelemetry/api";
import { env, siteUrl } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { problem } from "@/lib/http/api/problem";
import type { Handler, RouteContext } from "@/lib/http/api/route-definition";
import { CLOSED_POLICY } from "@/lib/http/security-headers";
import { POLICY_HEADER } from "@/lib/http/server/content-security";
import { log } from "@/lib/http/server/log";
import { loggedPath } from "@/lib/http/server/logged-path";
import { requestIdOf, runInRequest } from "@/lib/http/server/request-context";
import { SCOPE } from "@/lib/runtime/span";

const FOREIGN = "Les pages d'autres sites ne peuvent pas appeler la boutique.";

/**
 * What surrounds every call of the API, whatever its route: an id, the check of its origin, its line in the log, its
 * duration for the collector.
 */
export function answersCalls(handler: Handler): Handler {
  const answer = async (request: Request, context: RouteContext) => {
    const requestId = requestIdOf(request);
    const startedAt = performance.now();
    const cors = corsHeaders(request);
    const response = await runInRequest(requestId, async () =>
      cors ? handler(request, context) : problem(fail.forbidden(FOREIGN), { request }),
    );
    const { headers, status } = response;
    for (const [name, value] of Object.entries(cors ?? {})) headers.set(name, value);
    // A cache must not give the response to another origin.
    if (env().CORS_ORIGINS.length > 0) headers.append("Vary", "Origin");
    headers.set("X-Request-Id", requestId);
    if (!headers.has(POLICY_HEADER)) headers.set(POLICY_HEADER, CLOSED_POLICY);

    const { method, url } = request;
    const milliseconds = performance.now() - startedAt;
    // Only at the levels debug and trace: a proxy in front of the shop has its own log.
    log.debug(
      { requestId, method, path: loggedPath(url), status, milliseconds: Math.round(milliseconds) },
      "answered",
    );
    callDuration().record(milliseconds / 1000, {
      "http.request.method": method,
      "http.response.status_code": status,
    });
    return response;
  };
  return Object.assign(answer, { definition: handler.definition });
}

// Cross-origin requests: pages of CORS_ORIGINS may make them, docs/decisions/030. Clients that send no `Origin` (servers,
// curl) are not concerned.

const ALLOWED_HEADERS = "Authorization, Content-Type, Accept, If-None-Match, Idempotency-Key";
const EXPOSED_HEADERS =
  "Allow, Content-Disposition, ETag, Link, Location, Retry-After, Search-Approximate, X-Request-Id, X-Total-Count";
const ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** Seconds that a browser may cache the response to a preflight request. */
const PREFLIGHT_MAX_AGE = "7200";

/** The CORS headers of the response; null for a page of another site, which is refused. */
function corsHeaders(request: Request): Record<string, string> | null {
  if (isSameOrigin(request)) return {};
  const origin = request.headers.get("origin");
  if (origin === null || !env().CORS_ORIGINS.includes(origin)) return null;
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    ...(request.method === "OPTIONS" && {
      "Access-Control-Allow-Methods": ALLOWED_METHODS,
      "Access-Control-Allow-Headers": ALLOWED_HEADERS,
      "Access-Control-Max-Age": PREFLIGHT_MAX_AGE,
    }),
  };
}

/** From a page of the shop, from no page at all, or by following a link. */
function isSameOrigin({ headers, method }: Request): boolean {
  const origin = headers.get("origin");
  const host = headers.get("host");
  const site = headers.get("sec-fetch-site");
  // Set by the browser, whatever a proxy has made of the host; a page cannot set this header.
  if (site === "same-origin") return true;
  if (origin !== null)
    return origin === siteUrl() || origin === `http://${host}` || origin === `https://${host}`;
  if (site === null || site === "none") return true;
  const isNavigation = method === "GET" && headers.get("sec-fetch-mode") === "navigate";
  // In a tab of its own, not in a frame.
  return isNavigation && headers.get("sec-fetch-dest") === "document";
}

/** Seconds; recommended by OpenTelemetry for requests. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

let histogram: Histogram | undefined;

/** Made at the first call, when the collector is known, if there is one. */
function callDuration(): Histogram {
  histogram ??= metrics.getMeter(SCOPE).createHistogram("http.server.request.duration", {
    unit: "s",
    advice: { explicitBucketBoundaries: BUCKETS },
  });
  return histogram;
}
