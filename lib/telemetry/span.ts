import { type Attributes, metrics, SpanStatusCode, trace } from "@opentelemetry/api";

/** Under which name the shop's own spans and measures stand. */
export const SCOPE = "mini-ecommerce";

/**
 * Does `run` as a step of the trace at hand. Without a collector it only does it.
 *
 * @param attributes numbers and names of kinds; never what people have typed
 */
export function step<T>(
  { name, attributes = {} }: { name: string; attributes?: Attributes },
  run: () => Promise<T>,
): Promise<T> {
  return trace.getTracer(SCOPE).startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await run();
    } catch (error) {
      // Its message may hold data: the log has it, without.
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
