import type { Server } from "node:http";

export interface Timeouts {
  /** Milliseconds within which a request's headers have to arrive. */
  headers: number;
  /** And its body. */
  request: number;
  /** Milliseconds that an idle connection stays open. */
  keepAlive: number;
}

/**
 * Node.js's own timeouts are one minute and five; two minutes are for a picture of 8 MB over a slow
 * line. Node.js closes idle connections after 5 seconds, while a proxy may just be sending a purchase
 * on one, which it may not retry: the proxy has to close first. Varnish, nginx and load balancers do
 * after 60 seconds, Traefik after 90, Caddy after 120.
 */
const TIMEOUTS: Timeouts = { headers: 20_000, request: 120_000, keepAlive: 125_000 };

const HAS_TIMEOUTS = Symbol("has timeouts");

/**
 * Sets the timeouts for slow requests (408, then closed) and idle connections.
 *
 * @returns whether this was the first call for this server; the others do nothing
 */
export function setTimeouts(
  server: Server & { [HAS_TIMEOUTS]?: true },
  timeouts: Timeouts = TIMEOUTS,
): boolean {
  if (server[HAS_TIMEOUTS]) return false;
  server[HAS_TIMEOUTS] = true;
  server.headersTimeout = timeouts.headers;
  server.requestTimeout = timeouts.request;
  server.keepAliveTimeout = timeouts.keepAlive;
  return true;
}

/**
 * Answers requests for an upgrade (WebSocket, HTTP/2 without TLS) with plain HTTP. Next.js would
 * accept the connection, answer nothing and leave it open for ever; it needs upgrades in development
 * only, for hot reloading.
 */
export function ignoreUpgrades(server: Server): void {
  server.removeAllListeners("upgrade");
}
