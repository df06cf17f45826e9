import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http";
import { onceEnded } from "@/lib/http/server/exchange";

/**
 * Milliseconds within which a request's headers have to arrive, and its body, and that an idle connection stays
 * open. Node.js's own timeouts are one minute and five; two minutes are for a picture of 8 MB over a slow
 * line. Node.js closes idle connections after 5 seconds, while a proxy may just be sending a purchase
 * on one, which it may not retry: the proxy has to close first. Varnish, nginx and load balancers do
 * after 60 seconds, Traefik after 90, Caddy after 120. A client whose request was refused before its body had
 * arrived has `unread` to send the rest; closing at once would reset the connection before the response is read.
 */
const TIMEOUTS = { headers: 20_000, request: 120_000, keepAlive: 125_000, unread: 2_000 };

/**
 * Bytes of a request's headers, its URL among them: a search of 10,000 characters is valid (the shop
 * truncates it), and percent-encoded it has up to 12 bytes a character.
 */
const MAX_HEADER_BYTES = 131_072;

/** Milliseconds between two looks at idle connections while the server closes. */
const CLOSING_INTERVAL_MS = 50;

/** Closes the connection, unless the rest of the request's body arrives in time. */
function closeUnlessComplete(request: IncomingMessage, milliseconds: number): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, milliseconds);
  request.once("close", () => clearTimeout(timer));
}

/**
 * An HTTP server with the shop's limits for slow requests (408, then closed), idle connections and headers
 * (431). Without a listener for upgrades (WebSocket, HTTP/2 without TLS), Node.js answers requests for one
 * with plain HTTP.
 */
export class ShopServer extends Server {
  private readonly responses = new Set<ServerResponse>();

  constructor({
    ServerResponse,
    timeouts = TIMEOUTS,
  }: {
    ServerResponse?: NonNullable<ServerOptions["ServerResponse"]>;
    timeouts?: typeof TIMEOUTS;
  } = {}) {
    super({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      // How often Node.js looks for requests that have taken longer.
      connectionsCheckingInterval: Math.min(30_000, timeouts.headers / 2),
      ...(ServerResponse && { ServerResponse }),
    });
    this.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.responses.add(response);
      const callback = () => void this.responses.delete(response);
      onceEnded({ request, response, event: "close", callback });
      response.once("finish", () => {
        if (!request.complete) closeUnlessComplete(request, timeouts.unread);
      });
    });
  }

  /**
   * As Node.js's, but not while a client is still reading a response. Node.js takes a connection for idle,
   * and closes it, as soon as its response has been written.
   */
  override closeIdleConnections(): void {
    const isUnread = [...this.responses].some(
      ({ writableEnded, writableFinished }) => writableEnded && !writableFinished,
    );
    if (!isUnread) super.closeIdleConnections();
  }

  /** Stops listening, and settles when all requests have been answered and their connections closed. */
  async stop(): Promise<void> {
    const interval = setInterval(() => this.closeIdleConnections(), CLOSING_INTERVAL_MS);
    await new Promise<void>((resolve) => this.close(() => resolve()));
    clearInterval(interval);
  }
}
