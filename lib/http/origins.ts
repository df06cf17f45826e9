import type { IncomingMessage, ServerResponse } from "node:http";
import { env, siteUrl } from "@/lib/env";

// Which other sites' pages may call the API: those of CORS_ORIGINS, docs/decisions/030. Whoever sends
// no `Origin` (servers, curl) is no page of a browser, and is not concerned.

/** Headers that a page of another site may send, and read. */
const SENT = "Authorization, Content-Type, Accept, If-None-Match";
const READ =
  "Allow, Content-Disposition, ETag, Link, Location, Retry-After, Search-Approximate, X-Request-Id, X-Total-Count";
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** Seconds that a browser remembers the answer to its question before a call. */
const PREFLIGHT_LIFETIME = "7200";

/**
 * May this call of the API be answered? Gives the answer the headers that let a page of a configured
 * origin read it.
 */
export function admitOrigin({
  request,
  response,
}: {
  request: Pick<IncomingMessage, "headers" | "method">;
  response: Pick<ServerResponse, "setHeader">;
}): boolean {
  const { CORS_ORIGINS } = env();
  // What is stored on the way is only for those who asked from the same place.
  if (CORS_ORIGINS.length > 0) response.setHeader("Vary", "Origin");
  const { origin } = request.headers;
  if (isOwn(request)) return true;
  if (origin === undefined || !CORS_ORIGINS.includes(origin)) return false;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", READ);
  if (request.method === "OPTIONS") {
    response.setHeader("Access-Control-Allow-Methods", METHODS);
    response.setHeader("Access-Control-Allow-Headers", SENT);
    response.setHeader("Access-Control-Max-Age", PREFLIGHT_LIFETIME);
  }
  return true;
}

/** From a page of the shop, from no page at all, or a link that somebody follows. */
function isOwn({ headers, method }: Pick<IncomingMessage, "headers" | "method">): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  // The browser itself says so, whatever a proxy has made of the host; a page cannot write this header.
  if (site === "same-origin") return true;
  if (origin !== undefined)
    return origin === siteUrl() || origin === `http://${host}` || origin === `https://${host}`;
  if (site === undefined || site === "none") return true;
  return method === "GET" && headers["sec-fetch-mode"] === "navigate" && isPage(headers);
}

/** Not into a frame: only a tab of its own. */
const isPage = (headers: IncomingMessage["headers"]) => headers["sec-fetch-dest"] === "document";
