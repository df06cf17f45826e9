import type { Attributes } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";
import { loggedPath } from "@/lib/http/logged-path";

/** What may leave the shop as it is. Everything else stays: addresses and messages hold people's data. */
const KEPT = new Set([
  "db.collection.name",
  "db.operation.name",
  "db.system.name",
  "error.type",
  "http.method",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "http.status_code",
  "next.route",
  "next.rsc",
  "next.span_type",
]);

const isKept = (name: string) => KEPT.has(name) || name.startsWith("shop.");

/** An exporter that gives on what `redacted` leaves of each span. */
export function redacting(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(redacted), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** The same span without anything that a visitor may have written. */
function redacted(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    name: { value: withoutPaths(span.name) },
    attributes: { value: keptOf(span.attributes) },
    // Exceptions, with their messages: the log has them, without the values.
    events: { value: [] },
    status: { value: { code: span.status.code } },
    links: { value: [] },
  }) as ReadableSpan;
}

function keptOf(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => isKept(name))
      .map(([name, value]) => [name, typeof value === "string" ? withoutPaths(value) : value]),
  );
}

/** Next.js names a span by its route, or by the address where there is no route. */
function withoutPaths(text: string): string {
  return text.replace(/(?:[a-z]+:\/)?\/\S*/gi, (address) => loggedRoute(address));
}

/** Parameters of a route stand in brackets, and say nothing of anybody. */
function loggedRoute(address: string): string {
  return /^[\w/.()[\]-]+$/.test(address) && !/[^/]{41}/.test(address)
    ? address
    : loggedPath(address);
}
