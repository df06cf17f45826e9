import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { SCOPE } from "@/lib/runtime/span";

/**
 * Runs a query as a span of the current trace, named by operation and table. The query's text and values are
 * not recorded. Without a parent span there is no span, since workers poll four times a minute.
 */
export async function traceQuery<T>(text: string, run: () => Promise<T>): Promise<T> {
  if (trace.getActiveSpan() === undefined) return run();
  const { operation, table } = describeQuery(text);
  const span = trace.getTracer(SCOPE).startSpan(table ? `${operation} ${table}` : operation, {
    kind: SpanKind.CLIENT,
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      ...(table && { "db.collection.name": table }),
    },
  });
  try {
    return await run();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", String((error as { code?: unknown }).code ?? "Error"));
    throw error;
  } finally {
    span.end();
  }
}

/** "SELECT" and "orders" */
function describeQuery(text: string): { operation: string; table: string | undefined } {
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? "QUERY";
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]+)"?/i.exec(text)?.[1];
  return { operation, table };
}
