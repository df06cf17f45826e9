import { type Attributes, metrics, SpanStatusCode, trace } from "@opentelemetry/api";

/** The instrumentation scope of the shop's own spans and metrics. */
export const SCOPE = "mini-ecommerce";

/**
 * Runs a function as a span of the current trace; without a collector it only runs the function.
 *
 * @param attributes numbers and enumerated values; never user input
 */
export function withSpan<T>(
  { name, attributes = {} }: { name: string; attributes?: Attributes },
  run: () => Promise<T>,
): Promise<T> {
  return trace.getTracer(SCOPE).startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await run();
    } catch (error) {
      // The error's message may hold personal data; the log has it without them.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Counts an order that was paid and written. */
export function countOrder(): void {
  metrics
    .getMeter(SCOPE)
    .createCounter("shop.orders.completed", { description: "Orders made of paid checkouts" })
    .add(1);
}
