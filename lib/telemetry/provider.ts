import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { metrics } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";
import { env } from "@/lib/env";
import { measure } from "@/lib/telemetry/measures";
import { traceQueries } from "@/lib/telemetry/queries";
import { redacting } from "@/lib/telemetry/redaction";
import { SCOPE } from "@/lib/telemetry/span";
import { onTelemetryStop } from "@/lib/telemetry/stop";

/** Milliseconds that the end of the process waits for a collector. */
const LAST_CHANCE = 3_000;

/**
 * Sends traces and measures to the collector of OTEL_EXPORTER_OTLP_ENDPOINT. Next.js makes spans of
 * its own as soon as there is a provider; the shop adds its queries, purchases and mails.
 */
export function startTelemetry(): void {
  const { OTEL_EXPORTER_OTLP_ENDPOINT = "", OTEL_SERVICE_NAME, ...settings } = env();
  const url = (signal: string) => `${OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, "")}/v1/${signal}`;
  const resource = resourceFromAttributes({
    "service.name": OTEL_SERVICE_NAME,
    "service.instance.id": randomUUID(),
  });

  const traces = new NodeTracerProvider({
    resource,
    // By the trace's number alone: what a caller says of sampling costs the shop nothing.
    sampler: new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [
      new BatchSpanProcessor(redacting(new OTLPTraceExporter({ url: url("traces") })), {
        scheduledDelayMillis: Math.min(5_000, settings.OTEL_METRIC_EXPORT_INTERVAL),
      }),
    ],
  });
  traces.register();
  traceQueries();

  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: url("metrics") }),
        exportIntervalMillis: settings.OTEL_METRIC_EXPORT_INTERVAL,
        exportTimeoutMillis: Math.min(10_000, settings.OTEL_METRIC_EXPORT_INTERVAL),
      }),
    ],
  });
  metrics.setGlobalMeterProvider(meters);
  measure(meters.getMeter(SCOPE));

  // A collector that is away must not keep the shop from ending, nor fill its log.
  onTelemetryStop(async () => {
    const sent = Promise.allSettled([traces.shutdown(), meters.shutdown()]);
    await Promise.race([sent, delay(LAST_CHANCE)]);
  });
}
