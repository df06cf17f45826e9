import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import pg from "pg";
import { SCOPE } from "@/lib/telemetry/span";

type Query = (...given: unknown[]) => unknown;

/**
 * Makes a span of every query of every connection, named by what it does to which table. Neither its
 * text nor its values are told.
 */
export function traceQueries(): void {
  // A pool may run a query later, in the turn of whoever gives a connection back.
  wrap(pg.Pool.prototype as unknown as { query: Query });
  wrap(pg.Client.prototype as unknown as { query: Query });
}

function wrap(prototype: { query: Query }): void {
  const { query } = prototype;
  prototype.query = function traced(this: unknown, ...given) {
    // With a callback: a pool's query, which has its span already. Without a parent: a worker that
    // looks for work four times a minute.
    const isPart = trace.getActiveSpan() !== undefined;
    if (!isPart || typeof given.at(-1) === "function") return Reflect.apply(query, this, given);
    const { operation, table } = actOf(given[0]);
    const span = trace.getTracer(SCOPE).startSpan(table ? `${operation} ${table}` : operation, {
      kind: SpanKind.CLIENT,
      attributes: {
        "db.system.name": "postgresql",
        "db.operation.name": operation,
        ...(table && { "db.collection.name": table }),
      },
    });
    const result = context.with(trace.setSpan(context.active(), span), () =>
      Reflect.apply(query, this, given),
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

/** "SELECT" and "orders", of a text or of what drizzle gives. */
function actOf(query: unknown): { operation: string; table: string | undefined } {
  const text = typeof query === "string" ? query : ((query as { text?: string })?.text ?? "");
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? "QUERY";
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]+)"?/i.exec(text)?.[1];
  return { operation, table };
}
