import { randomBytes } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server } from "node:http";
import { env } from "@/lib/env";
import { PEER_HEADER } from "@/lib/http/client-address";
import { boundConnections, ignoreUpgrades } from "@/lib/http/connections";
import { noncePolicy, POLICY_HEADER } from "@/lib/http/content-security";
import { networkOf, readings } from "@/lib/http/load";
import { admitOrigin } from "@/lib/http/origins";
import { beginRequest, type Exchange } from "@/lib/http/request-log";
import { pathOf } from "@/lib/http/url";

/**
 * Where requests are led that Next.js would answer with a plain 500. Below /api the catch-all route
 * refuses them; elsewhere it is an address that does not exist (404).
 */
export const DETOURS = {
  /** The percent-encoding is broken, the path climbs, or begins with capitals. */
  malformed: "malformed-address",
  /** A method that Next.js cannot even represent (TRACE), or does not serve (PROPFIND …). */
  method: "unsupported-method",
  /** Called by a page of another site, which is not among CORS_ORIGINS. */
  origin: "foreign-origin",
  /** More is being read than the shop can carry. */
  load: "too-busy",
} as const;

const API = /^\/api(?:[/?]|$)/;
/** The pages' own addresses in Next.js, by another name than next.config.ts leads away. */
const INTERNAL = /^\/site\/(?!fr(?:[/?]|$))/;
/** Browsers resolve these themselves. Next.js would, too, after what is asked here of the address. */
const CLIMBS = /\/\.{1,2}(?:\/|$)/;
/**
 * Next.js leads `/PRODUCTS` to the page of `/products` (its `caseSensitiveRoutes` leaves rewrites before
 * files out), past whatever is decided here and in middleware.ts by the address.
 */
const CAPITALS = /^\/[^/?]*[A-Z]/;
const SERVED = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);
const POLICY_HEADERS = [POLICY_HEADER, `${POLICY_HEADER}-report-only`];
const SUBSCRIBED = Symbol.for("mini-ecommerce.incoming-requests");

/**
 * Looks at every request that this process receives, before Next.js does. Called when the server
 * starts (instrumentation.ts), and once more when the first route is loaded; only the first counts.
 */
export function watchIncomingRequests(): void {
  const global = globalThis as { [SUBSCRIBED]?: true };
  if (global[SUBSCRIBED]) return;
  global[SUBSCRIBED] = true;
  // A channel of node:http itself, published before the server's own request event.
  subscribe("http.server.request.start", (message) => {
    const exchange = message as Exchange & { server: Server };
    const isFirst = boundConnections(exchange.server);
    if (isFirst && env().NODE_ENV === "production") ignoreUpgrades(exchange.server);
    const context = beginRequest(exchange);
    prepareRequest(exchange.request);
    // Other servers may be in a process that is not Next.js's, as in tests, and take forms.
    if (process.env.NEXT_RUNTIME) ignoreForm(exchange.request);
    const { url = "" } = exchange.request;
    if (API.test(url)) admitCall(exchange);
    else if (RENDERED_PER_REQUEST.test(url)) prepareRendering(exchange);
    else if (READ_PER_REQUEST.test(url)) admitFile(exchange);
    else if (RENDERED_ONCE.test(url)) context.network = networkOf(exchange.request);
  });
}

/** The search of the catalogue is another one: lib/catalogue/incoming.ts. */
const RENDERED_PER_REQUEST = /^\/(?:backoffice|mailbox)(?:[/?]|$)/;

/** Files that are made of what the database says. */
const READ_PER_REQUEST = /^\/(?:sitemap\.xml|og)(?:[/?]|$)/;

/** Pages of which there are any number: those that are not stored take a place (renderings.ts). */
const RENDERED_ONCE = /^\/products?(?:[/?]|$)/;

/** Asked by whoever watches the shop: they are told how it is when it is busy, above all. */
const PROBES = /^\/api\/(?:health|ready)(?:\?|$)/;

function admitCall(exchange: Exchange): void {
  const { request } = exchange;
  const { method, url = "" } = request;
  if (!admitOrigin(exchange)) request.url = `/api/${DETOURS.origin}`;
  else if (
    (method === "GET" || method === "HEAD") &&
    !PROBES.test(url) &&
    !readings().admit(exchange)
  )
    request.url = `/api/${DETOURS.load}`;
}

function admitFile(exchange: Exchange): void {
  if (!readings().admit(exchange)) exchange.request.url = `/api/${DETOURS.load}`;
}

/**
 * Gives a page that is rendered for this request its policy, with a nonce that Next.js finds in the
 * header of the request and writes into the page. Stored pages have hashes instead.
 */
export function prepareRendering(exchange: Exchange): void {
  const { request, response } = exchange;
  if (!readings().admit(exchange)) {
    request.url = `/api/${DETOURS.load}`;
    return;
  }
  // The development server evaluates code in the page.
  if (env().NODE_ENV === "development") return;
  const policy = noncePolicy({
    nonce: randomBytes(16).toString("base64"),
    address: request.url ?? "",
  });
  request.headers[POLICY_HEADER] = policy;
  response.setHeader(POLICY_HEADER, policy);
}

/**
 * Notes the socket's address, leads away what Next.js could not answer properly, and takes out the
 * nonce that a client would have Next.js write into a page.
 */
export function prepareRequest(
  request: Pick<IncomingMessage, "headers" | "method" | "url"> & {
    socket: { remoteAddress?: string | undefined };
  },
): void {
  request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "";
  for (const name of POLICY_HEADERS) if (name in request.headers) delete request.headers[name];
  const { method = "GET", url = "/" } = request;
  const isApi = API.test(url);
  if (!SERVED.has(method)) {
    request.method = "POST";
    request.url = isApi ? `/api/${DETOURS.method}` : `/${DETOURS.method}`;
  } else if (
    // Pages take any query string; the API is strict about it, too.
    (url.includes("%") && !isWellFormed(isApi ? url : pathOf(url))) ||
    (url.includes("/.") && CLIMBS.test(pathOf(url))) ||
    CAPITALS.test(url) ||
    INTERNAL.test(url) ||
    // No client sends what follows it, and Next.js drops it, after what is asked here of the address.
    url.includes("#")
  ) {
    request.url = isApi ? `/api/${DETOURS.malformed}` : `/${DETOURS.malformed}`;
  }
}

/**
 * Makes a form that is sent to a page no form to Next.js, which would take it for a call of the page's
 * own, and render a stored page anew for each.
 */
export function ignoreForm({
  headers,
  method,
  url = "",
}: Pick<IncomingMessage, "headers" | "method" | "url">): void {
  if (method !== "POST" || API.test(url)) return;
  for (const name of ["content-type", "next-action"]) delete headers[name];
}

function isWellFormed(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
