import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number };
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
}

interface Point {
  attributes?: Attribute[];
  asInt?: number | string;
  asDouble?: number;
  count?: number | string;
}

interface Metric {
  name: string;
  sum?: { dataPoints: Point[] };
  gauge?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
}

/** An OpenTelemetry collector (OTLP over HTTP, JSON) that records what it receives. */
interface Collector {
  url: string;
  spans(): Span[];
  /** The newest data points of a metric. */
  points(name: string): Point[];
  /** The raw bodies. */
  received(): string;
  /** The headers of the last request. */
  headers(): http.IncomingHttpHeaders;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const spans: Span[] = [];
  const metrics = new Map<string, Point[]>();
  let headers: http.IncomingHttpHeaders = {};
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    bodies.push(body);
    headers = request.headers;
    const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(body) as {
      resourceSpans?: { scopeSpans: { spans: Span[] }[] }[];
      resourceMetrics?: { scopeMetrics: { metrics: Metric[] }[] }[];
    };
    for (const { scopeSpans } of resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    for (const { scopeMetrics } of resourceMetrics)
      for (const scope of scopeMetrics)
        for (const { name, sum, gauge, histogram } of scope.metrics)
          metrics.set(name, (sum ?? gauge ?? histogram)?.dataPoints ?? []);
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    points: (name) => metrics.get(name) ?? [],
    received: () => bodies.join("\n"),
    headers: () => headers,
    close: async () => {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

export const attributesOf = ({ attributes = [] }: { attributes?: Attribute[] }) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
