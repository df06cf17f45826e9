import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/env";
import type { Exchange } from "@/lib/http/server/exchange";
import { log } from "@/lib/http/server/log";
import { loggedPath } from "@/lib/http/server/logged-path";
import { RequestContext } from "@/lib/http/server/request-context";

/** Creates the context of a request, before anything else handles it. */
export function createContext(request: IncomingMessage, response: ServerResponse): RequestContext {
  const { url = "/", headers } = request;
  // Without a proxy it is the client's own, which may be anything.
  const id = env().TRUST_PROXY === 0 ? undefined : headers["x-request-id"];
  const context = new RequestContext({ url, id, response });
  // Caches in front of the shop keep pages, where the id would be another visitor's.
  if (url.startsWith("/api/")) response.setHeader("X-Request-Id", context.id);
  if (listeners.size > 0)
    response.once("finish", () => {
      const duration = (performance.now() - context.startedAt) / 1000;
      for (const listener of listeners) listener({ request, response, context, duration });
    });
  return context;
}

/** A request whose response has been sent to its last byte. */
interface CompletedRequest extends Exchange {
  /** Seconds. */
  duration: number;
}

const listeners = new Set<(completed: CompletedRequest) => void>();

/** Calls back for every completed request from now on; not for one whose client has left before. */
export function onResponse(listener: (completed: CompletedRequest) => void): void {
  listeners.add(listener);
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
