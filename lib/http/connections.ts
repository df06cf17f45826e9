import type { Server } from "node:http";

export interface Patience {
  /** Milliseconds within which a request's headers have to arrive. */
  headers: number;
  /** And all of it. */
  request: number;
  /** Milliseconds that a connection stays open after an answer. */
  idle: number;
}

/**
 * Node.js waits for one minute and for five by itself; the longer bound is for a picture of 8 MB
 * over a slow line. It closes idle connections after 5 seconds, under the proxy that is just sending
 * a purchase on one and may not send it twice: the proxy is to close first. Varnish, nginx and load
 * balancers do after 60 seconds, Traefik after 90, Caddy after 120.
 */
const PATIENCE: Patience = { headers: 20_000, request: 120_000, idle: 125_000 };

const BOUND = Symbol("bounded connections");

/**
 * Ends connections on which a request trickles in (408, then closed), and those long unused.
 *
 * @returns whether this was the server's first call; the others do nothing
 */
export function boundConnections(
  server: Server & { [BOUND]?: true },
  patience: Patience = PATIENCE,
): boolean {
  if (server[BOUND]) return false;
  server[BOUND] = true;
  server.headersTimeout = patience.headers;
  server.requestTimeout = patience.request;
  server.keepAliveTimeout = patience.idle;
  return true;
}

/**
 * Has those who offer another protocol (WebSocket, HTTP/2 without TLS) answered in this one, as they
 * expect of a server that does not know theirs. Next.js takes such a connection, answers nothing and
 * leaves it open, beyond all bounds: it needs them in development, for pages that follow an edit.
 */
export function ignoreUpgrades(server: Server): void {
  server.removeAllListeners("upgrade");
}
