import type { Attributes } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";
import { loggedPath } from "@/lib/http/server/logged-path";

/** The exported attributes. All others are dropped: URLs and messages contain personal data. */
const ALLOWED_ATTRIBUTES = new Set([
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

const isAllowed = (name: string) => ALLOWED_ATTRIBUTES.has(name) || name.startsWith("shop.");

/** Wraps an exporter: spans are redacted before they are exported. */
export function redactingExporter(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(redact), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** A copy of the span without any text that may come from a visitor. */
function redact(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    name: { value: withoutPaths(span.name) },
    attributes: { value: allowedOf(span.attributes) },
    // Events are exceptions with their messages; the log has them without values.
    events: { value: [] },
    status: { value: { code: span.status.code } },
    links: { value: [] },
  }) as ReadableSpan;
}

function allowedOf(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => isAllowed(name))
      .map(([name, value]) => [name, typeof value === "string" ? withoutPaths(value) : value]),
  );
}

/** Redacts URLs in a span's name: Next.js names a span by its route, or by the URL without a route. */
function withoutPaths(text: string): string {
  return text.replace(/(?:[a-z]+:\/)?\/\S*/gi, (url) => loggedRoute(url));
}

/** Keeps a route, whose parameters are names in brackets, not personal data; redacts other URLs. */
function loggedRoute(url: string): string {
  return /^[\w/.()[\]-]+$/.test(url) && !/[^/]{41}/.test(url) ? url : loggedPath(url);
}
