import type { IncomingMessage } from "node:http";
import { env } from "@/lib/env";
import { POLICY_HEADER } from "@/lib/http/server/content-security";
import type { Step } from "@/lib/http/server/exchange";
import { LOCAL_HEADER } from "@/lib/http/server/local-peer";
import { PEER_HEADER } from "@/lib/http/server/network";

/** Headers by which a client would have Next.js write its nonce into a page, or show it what is for this machine. */
const OWN_HEADERS = [POLICY_HEADER, `${POLICY_HEADER}-report-only`, LOCAL_HEADER];

/** Headers that only a proxy may set: the request's id, and the trace that it is part of. */
const PROXY_HEADERS = ["x-request-id", "traceparent", "tracestate", "baggage"];

/** Removes the headers that a client must not set, and sets the one with the socket's IP. */
export const replaceOwnHeaders: Step = ({ request }, next) => {
  replaceHeaders(request);
  next();
};

/** The same by itself. */
export function replaceHeaders({
  headers,
  socket,
}: Pick<IncomingMessage, "headers"> & {
  socket: { remoteAddress?: string | undefined };
}): void {
  headers[PEER_HEADER] = socket.remoteAddress ?? "";
  for (const name of OWN_HEADERS) if (name in headers) delete headers[name];
  if (env().TRUST_PROXY === 0) for (const name of PROXY_HEADERS) delete headers[name];
}
