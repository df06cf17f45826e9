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
import { SCOPE } from "@/lib/runtime/span";
import { registerMetrics } from "@/lib/telemetry/metrics";
import { redactingExporter } from "@/lib/telemetry/redaction";

/** Maximum milliseconds that the shutdown waits for the collector. */
const SHUTDOWN_TIMEOUT_MS = 3_000;

/**
 * Sends traces and metrics to the collector at OTEL_EXPORTER_OTLP_ENDPOINT. Next.js creates spans as soon as
 * there is a provider; the shop adds spans for queries, purchases and mails.
 *
 * @returns a function that sends the remaining data and stops
 */
export function startTelemetry(): () => Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT = "", OTEL_SERVICE_NAME, ...settings } = env();
  const url = (signal: string) => `${OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, "")}/v1/${signal}`;
  const resource = resourceFromAttributes({
    "service.name": OTEL_SERVICE_NAME,
    "service.instance.id": randomUUID(),
  });

  const traces = new NodeTracerProvider({
    resource,
    // The sampler decides by the trace id only: a caller cannot force sampling.
    sampler: new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [
      new BatchSpanProcessor(redactingExporter(new OTLPTraceExporter({ url: url("traces") })), {
        scheduledDelayMillis: Math.min(5_000, settings.OTEL_METRIC_EXPORT_INTERVAL),
      }),
    ],
  });
  traces.register();

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
  registerMetrics(meters.getMeter(SCOPE));

  // An unreachable collector must neither delay the shutdown nor fill the log.
  return async () => {
    const sent = Promise.allSettled([traces.shutdown(), meters.shutdown()]);
    await Promise.race([sent, delay(SHUTDOWN_TIMEOUT_MS)]);
  };
}
