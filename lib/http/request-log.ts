import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/env";
import { log } from "@/lib/http/log";
import { loggedPath } from "@/lib/http/logged-path";
import { enterRequest, RequestContext, requestOf } from "@/lib/http/request-context";

/** What only a proxy may say: the request's number, and the trace that it is part of. */
const PROXY_HEADERS = ["x-request-id", "traceparent", "tracestate", "baggage"];

/** The two sides of one request, as node:http publishes them. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Gives a request its number, before anything else looks at it. */
export function beginRequest({ request, response }: Exchange): RequestContext {
  const { url = "/", headers } = request;
  if (env().TRUST_PROXY === 0) for (const name of PROXY_HEADERS) delete headers[name];
  const context = new RequestContext({ url, id: headers["x-request-id"] });
  enterRequest(context, response);
  // Pages are kept by caches in front of the shop, where the number would be another visitor's.
  if (url.startsWith("/api/")) response.setHeader("X-Request-Id", context.id);
  return context;
}

/** A request that has been answered to its last byte. */
export interface Answered extends Exchange {
  context: RequestContext;
  /** Seconds. */
  duration: number;
}

/** Has every answered request told to `tell`. One whose client has left before is not. */
export function onAnswered(tell: (answered: Answered) => void): void {
  subscribe("http.server.response.finish", (message) => {
    const { request, response } = message as Exchange;
    const context = requestOf(response);
    if (!context) return;
    const duration = (performance.now() - context.startedAt) / 1000;
    tell({ request, response, context, duration });
  });
}

/** A line for every answer, where such lines are wanted: a proxy in front of the shop has its own. */
export function logAnswers(): void {
  const { LOG_LEVEL } = env();
  if (LOG_LEVEL === "debug" || LOG_LEVEL === "trace") onAnswered(logAnswer);
}

function logAnswer({ request, response, context: { id, url }, duration }: Answered): void {
  const facts = {
    requestId: id,
    method: request.method,
    path: loggedPath(url),
    status: response.statusCode,
    milliseconds: Math.round(duration * 1000),
  };
  log.debug(facts, "answered");
}
