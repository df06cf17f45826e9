import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { loggedPath } from "@/lib/http/server/logged-path";
import {
  enterRequestContext,
  RequestContext,
  requestContextOf,
} from "@/lib/http/server/request-context";

/** Headers that only a proxy may set: the request's id, and the trace that it is part of. */
const PROXY_HEADERS = ["x-request-id", "traceparent", "tracestate", "baggage"];

/** The two sides of one request, as node:http publishes them. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Creates the context of a request, before anything else handles it. */
export function startRequest({ request, response }: Exchange): RequestContext {
  const { url = "/", headers } = request;
  if (env().TRUST_PROXY === 0) for (const name of PROXY_HEADERS) delete headers[name];
  const context = new RequestContext({ url, id: headers["x-request-id"] });
  enterRequestContext(context, response);
  // Caches in front of the shop keep pages, where the id would be another visitor's.
  if (url.startsWith("/api/")) response.setHeader("X-Request-Id", context.id);
  return context;
}

/** A request whose response has been sent to its last byte. */
export interface CompletedRequest extends Exchange {
  context: RequestContext;
  /** Seconds. */
  duration: number;
}

/** Calls back for every completed request; not for one whose client has left before. */
export function onResponse(listener: (answered: CompletedRequest) => void): void {
  subscribe("http.server.response.finish", (message) => {
    const { request, response } = message as Exchange;
    const context = requestContextOf(response);
    if (!context) return;
    const duration = (performance.now() - context.startedAt) / 1000;
    listener({ request, response, context, duration });
  });
}

/** Logs every response at the levels debug and trace; a proxy in front of the shop has its own log. */
export function logResponses(): void {
  const { LOG_LEVEL } = env();
  if (LOG_LEVEL === "debug" || LOG_LEVEL === "trace") onResponse(logResponse);
}

function logResponse({
  request,
  response,
  context: { id, url },
  duration,
}: CompletedRequest): void {
  const fields = {
    requestId: id,
    method: request.method,
    path: loggedPath(url),
    status: response.statusCode,
    milliseconds: Math.round(duration * 1000),
  };
  log.debug(fields, "answered");
}
