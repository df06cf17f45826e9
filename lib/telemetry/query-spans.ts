import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import pg from "pg";
import { SCOPE } from "@/lib/telemetry/span";

type Query = (...args: unknown[]) => unknown;

/**
 * Creates a span for every query of every connection, named by operation and table. Neither its text
 * nor its values are recorded.
 */
export function traceQueries(): void {
  // A pool may run a query later, in the context of the query that releases a connection.
  wrap(pg.Pool.prototype as unknown as { query: Query });
  wrap(pg.Client.prototype as unknown as { query: Query });
}

function wrap(prototype: { query: Query }): void {
  const { query } = prototype;
  prototype.query = function traced(this: unknown, ...args) {
    // With a callback: a pool's query, which has its span already. Without a parent: a worker that
    // polls four times a minute.
    const hasParent = trace.getActiveSpan() !== undefined;
    if (!hasParent || typeof args.at(-1) === "function") return Reflect.apply(query, this, args);
    const { operation, table } = describeQuery(args[0]);
    const span = trace.getTracer(SCOPE).startSpan(table ? `${operation} ${table}` : operation, {
      kind: SpanKind.CLIENT,
      attributes: {
        "db.system.name": "postgresql",
        "db.operation.name": operation,
        ...(table && { "db.collection.name": table }),
      },
    });
    const result = context.with(trace.setSpan(context.active(), span), () =>
      Reflect.apply(query, this, args),
    );
    void Promise.resolve(result).then(
      () => span.end(),
      (error: { code?: unknown }) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", String(error?.code ?? "Error"));
        span.end();
      },
    );
    return result;
  };
}

/** "SELECT" and "orders", of a text or of drizzle's query object. */
function describeQuery(query: unknown): { operation: string; table: string | undefined } {
  const text = typeof query === "string" ? query : ((query as { text?: string })?.text ?? "");
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? "QUERY";
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]+)"?/i.exec(text)?.[1];
  return { operation, table };
}
