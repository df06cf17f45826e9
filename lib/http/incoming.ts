import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/**
 * Carries the address at the other end of the socket into route handlers. Next.js gives them no
 * socket, and keeps an `X-Forwarded-For` that the client itself has sent; this header is
 * overwritten on every request before Next.js sees it, so it cannot be sent from outside.
 */
export const PEER_HEADER = "x-shop-peer-address";

/**
 * Where requests are led that Next.js would answer with a plain 500. Below /api the catch-all route
 * refuses them; elsewhere it is an address that does not exist (404).
 */
export const DETOURS = {
  /** The percent-encoding is broken. */
  malformed: "malformed-address",
  /** A method that Next.js cannot even represent (TRACE), or does not serve (PROPFIND …). */
  method: "unsupported-method",
} as const;

const SERVED = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);
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
    prepareRequest((message as { request: IncomingMessage }).request);
  });
}

/** Notes the socket's address and leads away what Next.js could not answer properly. */
export function prepareRequest(
  request: Pick<IncomingMessage, "headers" | "method" | "url"> & {
    socket: { remoteAddress?: string | undefined };
  },
): void {
  request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "";
  const { method = "GET", url = "/" } = request;
  const isApi = url.startsWith("/api/");
  if (!SERVED.has(method)) {
    request.method = "POST";
    request.url = isApi ? `/api/${DETOURS.method}` : `/${DETOURS.method}`;
  } else if (url.includes("%") && !isWellFormed(isApi ? url : pathOf(url))) {
    request.url = isApi ? `/api/${DETOURS.malformed}` : `/${DETOURS.malformed}`;
  }
}

/** Pages take any query string; the API is strict about it, too. */
function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

function isWellFormed(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
