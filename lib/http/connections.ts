import type { Server } from "node:http";

/** Milliseconds within which a request has to arrive: its headers, and all of it. */
const PATIENCE = { headers: 20_000, request: 120_000 };

const BOUND = Symbol("bounded connections");

/**
 * Ends connections on which a request trickles in: 408, then closed. Node.js waits for one minute
 * and for five by itself; the longer bound is for a picture of 8 MB over a slow line.
 */
export function boundConnections(
  server: Server & { [BOUND]?: true },
  patience: { headers: number; request: number } = PATIENCE,
): void {
  if (server[BOUND]) return;
  server[BOUND] = true;
  server.headersTimeout = patience.headers;
  server.requestTimeout = patience.request;
}
