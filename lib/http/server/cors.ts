import { env, siteUrl } from "@/lib/env";
import { fail } from "@/lib/errors";
import type { Exchange, Step } from "@/lib/http/server/exchange";
import { refuse } from "@/lib/http/server/refusal";
import { isApiUrl } from "@/lib/http/url";

// Cross-origin requests to the API: pages of CORS_ORIGINS may make them, docs/decisions/030. Clients
// that send no `Origin` (servers, curl) are not concerned.

const ALLOWED_HEADERS = "Authorization, Content-Type, Accept, If-None-Match, Idempotency-Key";
const EXPOSED_HEADERS =
  "Allow, Content-Disposition, ETag, Link, Location, Retry-After, Search-Approximate, X-Request-Id, X-Total-Count";
const ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** Seconds that a browser may cache the response to a preflight request. */
const PREFLIGHT_MAX_AGE = "7200";

/** Refuses calls of the API by pages of other sites. */
export const checkOrigin: Step = (exchange, next) => {
  if (!isApiUrl(exchange.request.url ?? "") || authorizeOrigin(exchange)) next();
  else
    refuse(
      exchange,
      fail.forbidden("Les pages d'autres sites ne peuvent pas appeler la boutique."),
    );
};

/** May this request be answered? Sets the CORS headers for pages of a configured origin. */
function authorizeOrigin({ request, response }: Exchange): boolean {
  const { CORS_ORIGINS } = env();
  // A cache must not give the response to another origin.
  if (CORS_ORIGINS.length > 0) response.setHeader("Vary", "Origin");
  const { origin } = request.headers;
  if (isSameOrigin(request)) return true;
  if (origin === undefined || !CORS_ORIGINS.includes(origin)) return false;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", EXPOSED_HEADERS);
  if (request.method === "OPTIONS") {
    response.setHeader("Access-Control-Allow-Methods", ALLOWED_METHODS);
    response.setHeader("Access-Control-Allow-Headers", ALLOWED_HEADERS);
    response.setHeader("Access-Control-Max-Age", PREFLIGHT_MAX_AGE);
  }
  return true;
}

/** From a page of the shop, from no page at all, or by following a link. */
function isSameOrigin({ headers, method }: Exchange["request"]): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  // Set by the browser, whatever a proxy has made of the host; a page cannot set this header.
  if (site === "same-origin") return true;
  if (origin !== undefined)
    return origin === siteUrl() || origin === `http://${host}` || origin === `https://${host}`;
  if (site === undefined || site === "none") return true;
  const isNavigation = method === "GET" && headers["sec-fetch-mode"] === "navigate";
  // In a tab of its own, not in a frame.
  return isNavigation && headers["sec-fetch-dest"] === "document";
}
