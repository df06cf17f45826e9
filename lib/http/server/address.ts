import type { IncomingMessage } from "node:http";
import { fail } from "@/lib/errors";
import { VERBS } from "@/lib/http/api/verbs";
import type { Step } from "@/lib/http/server/exchange";
import { refuse } from "@/lib/http/server/refusal";
import { isApiUrl, pathOf } from "@/lib/http/url";
import { isDecodable } from "@/lib/percent-encoding";

// A page or an endpoint has one address: the limits and the checks of who may see it go by the path, and
// Next.js would serve other spellings, too, or answer them with a plain 500.

/** A path that does not exist: pages that are refused are shown Next.js's page for it. */
export const NO_PAGE = "/malformed-address";

/**
 * Internal paths of the pages below a language that next-config.ts does not redirect, and the template of
 * the error page (error-page.ts).
 */
const INTERNAL = /^\/(?:site\/(?!fr(?:[/?]|$))|unavailable(?:[/?.]|$))/;
/** Browsers resolve these. Next.js would, too, but after the checks of the path made here. */
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
/**
 * Next.js serves `/products` for `/PRODUCTS` (its `caseSensitiveRoutes` does not apply to rewrites
 * before files), which would bypass the checks of the path here and in middleware.ts.
 */
const UPPERCASE_START = /^\/[^/?]*[A-Z]/;
const SERVED_METHODS: ReadonlySet<string> = new Set(VERBS);
/** The development server's own calls. */
const DEVELOPMENT = /^\/__nextjs/;

export const requireOneSpelling: Step = (exchange, next) => {
  const { request } = exchange;
  const problem = problemOf(request);
  const isApi = isApiUrl(request.url ?? "");
  if (problem && isApi) {
    refuse(
      exchange,
      problem === "method"
        ? fail.methodNotAllowed(VERBS.join(", "))
        : fail.badRequest("L'adresse demandée est mal encodée."),
    );
    return;
  }
  if (problem) {
    request.method = "GET";
    request.url = NO_PAGE;
  } else if (!isApi) ignoreBody(request);
  next();
};

/**
 * Turns a request target in absolute form (`GET http://shop.test/products`), which every server has
 * to accept, into origin form; its host replaces the header's (RFC 9112, 3.2.2).
 */
export function toOriginForm(request: Pick<IncomingMessage, "headers" | "url">): void {
  const { url = "/", headers } = request;
  if (url.startsWith("/")) return;
  const [origin, host] = /^https?:\/\/([\w.:[\]-]+)(?=[/?#]|$)/i.exec(url) ?? [];
  if (origin === undefined) return;
  const target = url.slice(origin.length);
  request.url = target.startsWith("/") ? target : `/${target}`;
  headers.host = host;
}

/** What is wrong with a request's first line; null where nothing is. */
export function problemOf({
  method = "GET",
  url = "/",
}: Pick<IncomingMessage, "method" | "url">): "method" | "address" | null {
  if (!SERVED_METHODS.has(method)) return "method";
  const isMalformed =
    // Pages take any query string; the API is strict about it, too.
    (url.includes("%") && !isDecodable(isApiUrl(url) ? url : pathOf(url))) ||
    (url.includes("/.") && DOT_SEGMENT.test(pathOf(url))) ||
    UPPERCASE_START.test(url) ||
    INTERNAL.test(url) ||
    // The server as a whole (`OPTIONS *`), or no path at all.
    !url.startsWith("/") ||
    // No client sends a fragment, and Next.js drops it after the checks made here.
    url.includes("#");
  return isMalformed ? "address" : null;
}

/**
 * Makes a request with a body, to a page, one without: pages take none. Next.js would render a cached
 * page anew for each form, taking it for a server action, and keep up to 10 MB of the body of each
 * request to a page of middleware.ts until it has arrived.
 */
export function ignoreBody(request: Pick<IncomingMessage, "headers" | "method" | "url">): void {
  const { headers, method, url = "" } = request;
  if (method === "GET" || method === "HEAD" || DEVELOPMENT.test(url)) return;
  if (method === "POST") request.method = "GET";
  else if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0) {
    request.method = "GET";
    request.url = NO_PAGE;
  }
}
