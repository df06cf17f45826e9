import { env } from "@/lib/env";
import type { Exchange } from "@/lib/http/server/exchange";
import { log } from "@/lib/http/server/log";
import { loggedPath } from "@/lib/http/server/logged-path";

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

/** Has the listeners called back once this request is completed. */
export function reportCompletion(exchange: Exchange): void {
  if (listeners.size === 0) return;
  exchange.response.once("finish", () => {
    const duration = (performance.now() - exchange.context.startedAt) / 1000;
    for (const listener of listeners) listener({ ...exchange, duration });
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
