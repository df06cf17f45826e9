import type { IncomingMessage, ServerResponse } from "node:http";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

/**
 * Runs a function as the span of a request that Next.js does not handle, within the caller's trace.
 * Without a collector it only runs it.
 *
 * @param route with parameters in braces; the span is named as Next.js names its own, with brackets
 */
export function withServerSpan(
  {
    request: { method = "GET", headers },
    response,
    route,
  }: { request: IncomingMessage; response: ServerResponse; route: string },
  run: () => Promise<void>,
): Promise<void> {
  const name = route.replaceAll("{", "[").replaceAll("}", "]");
  const options = {
    kind: SpanKind.SERVER,
    attributes: { "http.request.method": method, "http.route": name },
  };
  const caller = propagation.extract(context.active(), headers);
  const tracer = trace.getTracer("mini-ecommerce");
  return tracer.startActiveSpan(`${method} ${name}`, options, caller, async (span) => {
    try {
      await run();
    } finally {
      const { statusCode } = response;
      span.setAttribute("http.response.status_code", statusCode);
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  });
}
