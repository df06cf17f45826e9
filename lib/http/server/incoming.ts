import { randomBytes } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server } from "node:http";
import { env } from "@/lib/env";
import { sendStoredPage } from "@/lib/http/cache/stored-pages";
import { answerApiCall } from "@/lib/http/server/api-calls";
import { PEER_HEADER } from "@/lib/http/server/client-ip";
import { ignoreUpgrades, setTimeouts } from "@/lib/http/server/connections";
import { noncePolicy, POLICY_HEADER } from "@/lib/http/server/content-security";
import { authorizeOrigin } from "@/lib/http/server/cors";
import { isFromThisMachine, LOCAL_HEADER } from "@/lib/http/server/local-peer";
import { networkOfMessage } from "@/lib/http/server/network";
import { readSemaphore } from "@/lib/http/server/read-semaphore";
import { type Exchange, startRequest } from "@/lib/http/server/request-log";
import { pathOf } from "@/lib/http/url";

/**
 * Paths to which refused requests are rewritten, since Next.js would answer some with a plain 500.
 * Below /api the catch-all route answers with the refusal; elsewhere the path does not exist (404).
 */
export const REFUSALS = {
  /** Broken percent-encoding, dot segments, an uppercase first segment, or no path at all. */
  malformed: "malformed-address",
  /** A method that Next.js cannot even represent (TRACE), or does not serve (PROPFIND …). */
  method: "unsupported-method",
  /** Called by a page of an origin that is not among CORS_ORIGINS. */
  origin: "foreign-origin",
  /** Too many requests are being read for (read-semaphore.ts). */
  load: "too-busy",
} as const;

const API = /^\/api(?:[/?]|$)/;
/** Internal paths of the pages below a language that next.config.ts does not redirect. */
const INTERNAL = /^\/site\/(?!fr(?:[/?]|$))/;
/** Browsers resolve these. Next.js would, too, but after the checks of the path made here. */
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
/**
 * Next.js serves `/products` for `/PRODUCTS` (its `caseSensitiveRoutes` does not apply to rewrites
 * before files), which would bypass the checks of the path here and in middleware.ts.
 */
const UPPERCASE_START = /^\/[^/?]*[A-Z]/;
const SERVED_METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);
/** Headers that only this module sets. */
const OWN_HEADERS = [POLICY_HEADER, `${POLICY_HEADER}-report-only`, LOCAL_HEADER];
const SUBSCRIBED = Symbol.for("mini-ecommerce.incoming-requests");

/**
 * Intercepts every request that this process receives, before Next.js does. Called when the server
 * starts (instrumentation.ts), and again when the first route is loaded; only the first call counts.
 */
export function interceptRequests(): void {
  const global = globalThis as { [SUBSCRIBED]?: true };
  if (global[SUBSCRIBED]) return;
  global[SUBSCRIBED] = true;
  // A channel of node:http itself, published before the server's own request event.
  subscribe("http.server.request.start", (message) => {
    const exchange = message as Exchange & { server: Server };
    const isFirst = setTimeouts(exchange.server);
    if (isFirst && env().NODE_ENV === "production") {
      ignoreUpgrades(exchange.server);
      serveWithoutNext(exchange.server);
    }
    toOriginForm(exchange.request);
    const context = startRequest(exchange);
    sanitizeRequest(exchange.request);
    // Servers in other processes, as in tests, take forms.
    if (process.env.NEXT_RUNTIME) ignoreBodyForPage(exchange.request);
    const { url = "" } = exchange.request;
    if (API.test(url)) screenApiCall(exchange);
    else if (RENDERED_PER_REQUEST.test(url)) {
      if (isFromThisMachine(exchange.request)) exchange.request.headers[LOCAL_HEADER] = "1";
      prepareRendering(exchange);
    } else if (READ_PER_REQUEST.test(url)) limitFileReads(exchange);
    else if (RENDERED_ONCE.test(url)) context.network = networkOfMessage(exchange.request);
    else if (url.startsWith(RESIZED_PICTURE)) configureSharp();
  });
}

/** Takes what needs nothing of Next.js away from it. */
function serveWithoutNext(server: Server): void {
  const listeners = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (sendStoredPage(request, response) || answerApiCall(request, response)) return;
    for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  });
}

/** The catalogue's search is one, too: lib/catalogue/incoming.ts. */
const RENDERED_PER_REQUEST = /^\/(?:backoffice|mailbox)(?:[/?]|$)/;

/** Files that are made from the database. */
const READ_PER_REQUEST = /^\/(?:sitemap\.xml|og)(?:[/?]|$)/;

/** Pages of unlimited number: one that is not cached acquires a permit when it is rendered (renderings.ts). */
const RENDERED_ONCE = /^\/products?(?:[/?]|$)/;

/** A picture of the shop in the size that a screen asks for, by Next.js. */
const RESIZED_PICTURE = "/_next/image?";

/** Health checks are answered also, and above all, under load. */
const PROBES = /^\/api\/(?:health|ready)(?:\?|$)/;

/** Next.js loads sharp with the first picture that it resizes, without any settings. */
function configureSharp(): void {
  // Where it cannot be loaded, Next.js says so.
  import("@/lib/sharp").catch(() => undefined);
}

function screenApiCall(exchange: Exchange): void {
  const { request } = exchange;
  const { method, url = "" } = request;
  if (!authorizeOrigin(exchange)) request.url = `/api/${REFUSALS.origin}`;
  else if (
    (method === "GET" || method === "HEAD") &&
    !PROBES.test(url) &&
    !readSemaphore().tryAcquireFor(exchange)
  )
    request.url = `/api/${REFUSALS.load}`;
}

function limitFileReads(exchange: Exchange): void {
  if (!readSemaphore().tryAcquireFor(exchange)) exchange.request.url = `/api/${REFUSALS.load}`;
}

/**
 * Sets the policy of a page that is rendered per request, with a nonce that Next.js reads from the
 * request's header and writes into the page. Cached pages have hashes instead.
 */
export function prepareRendering(exchange: Exchange): void {
  const { request, response } = exchange;
  if (!readSemaphore().tryAcquireFor(exchange)) {
    request.url = `/api/${REFUSALS.load}`;
    return;
  }
  // The development server evaluates code in the page.
  if (env().NODE_ENV === "development") return;
  const nonce = randomBytes(16).toString("base64");
  const policy = noncePolicy({ nonce, url: request.url ?? "" });
  request.headers[POLICY_HEADER] = policy;
  response.setHeader(POLICY_HEADER, policy);
}

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

/**
 * Sets the header with the socket's IP, rewrites what Next.js could not answer properly, and removes
 * the headers by which a client would have Next.js write its nonce into a page, or show it what is for
 * this machine.
 */
export function sanitizeRequest(
  request: Pick<IncomingMessage, "headers" | "method" | "url"> & {
    socket: { remoteAddress?: string | undefined };
  },
): void {
  request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "";
  for (const name of OWN_HEADERS) if (name in request.headers) delete request.headers[name];
  const { method = "GET", url = "/" } = request;
  const isApi = API.test(url);
  if (!SERVED_METHODS.has(method)) {
    request.method = "POST";
    request.url = isApi ? `/api/${REFUSALS.method}` : `/${REFUSALS.method}`;
  } else if (
    // Pages take any query string; the API is strict about it, too.
    (url.includes("%") && !isWellFormed(isApi ? url : pathOf(url))) ||
    (url.includes("/.") && DOT_SEGMENT.test(pathOf(url))) ||
    UPPERCASE_START.test(url) ||
    INTERNAL.test(url) ||
    // The server as a whole (`OPTIONS *`), or no path at all.
    !url.startsWith("/") ||
    // No client sends a fragment, and Next.js drops it after the checks made here.
    url.includes("#")
  ) {
    request.url = isApi ? `/api/${REFUSALS.malformed}` : `/${REFUSALS.malformed}`;
  }
}

/** The development server's own calls. */
const DEVELOPMENT = /^\/__nextjs/;

/**
 * Makes a request with a body, to a page, one without: pages take none. Next.js would render a cached
 * page anew for each form, taking it for a server action, and keep up to 10 MB of the body of each
 * request to a page of middleware.ts until it has arrived.
 */
export function ignoreBodyForPage(
  request: Pick<IncomingMessage, "headers" | "method" | "url">,
): void {
  const { headers, method, url = "" } = request;
  if (method === "GET" || method === "HEAD" || API.test(url) || DEVELOPMENT.test(url)) return;
  if (method === "POST") request.method = "GET";
  else if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0) {
    request.method = "GET";
    request.url = `/${REFUSALS.method}`;
  }
}

function isWellFormed(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
