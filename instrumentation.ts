import type { Instrumentation } from "next";

/** Runs once when a server process starts, before its first request. */
export async function register(): Promise<void> {
  const isBuild = process.env.NEXT_PHASE === "phase-production-build";
  if (process.env.NEXT_RUNTIME !== "nodejs" || isBuild) return;
  const { env } = await import("@/lib/env");
  // A wrong configuration stops the start here rather than a visitor later.
  const { NODE_ENV, OTEL_EXPORTER_OTLP_ENDPOINT } = env();
  const { unlinkImmediates } = await import("@/lib/health/immediates");
  unlinkImmediates();
  const { watchIncomingRequests } = await import("@/lib/http/incoming");
  watchIncomingRequests();
  const { logAnswers } = await import("@/lib/http/request-log");
  logAnswers();
  const { watchCatalogueRequests } = await import("@/lib/catalogue/incoming");
  watchCatalogueRequests();
  const { watchOutgoingAnswers } = await import("@/lib/http/outgoing");
  watchOutgoingAnswers();
  const { publishPagePolicy } = await import("@/lib/http/content-security");
  publishPagePolicy();
  const { openGate } = await import("@/lib/http/gate");
  openGate();
  const { startSharedCache } = await import("@/lib/http/shared-cache");
  await startSharedCache();
  const { purgeEverything } = await import("@/lib/http/purge");
  purgeEverything();
  const { mailWorker } = await import("@/lib/mail/worker");
  mailWorker.start();
  const { checkoutWorker } = await import("@/lib/checkout/worker");
  checkoutWorker.start();
  const { pictureWorker } = await import("@/lib/uploads/worker");
  pictureWorker.start();
  if (OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const { startTelemetry } = await import("@/lib/telemetry/provider");
    startTelemetry();
  }
  // The development server ends in its own way, and shows faults in its own form.
  if (NODE_ENV !== "production") return;
  const { takeConsole } = await import("@/lib/http/console");
  takeConsole();
  const { drainOnSignals } = await import("@/lib/health/shutdown");
  drainOnSignals();
}

/** What Next.js catches while it makes a page. An error page shows the same reference (digest). */
export const onRequestError: Instrumentation.onRequestError = async (error, _, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { isTooBusy, noteFault } = await import("@/lib/http/outage");
  noteFault(error);
  const { log } = await import("@/lib/http/log");
  // Where there are too many of them, not as many lines as well.
  const level = isTooBusy(error) ? "debug" : "error";
  log[level]({ err: error, route: routePath }, "page failed");
};
