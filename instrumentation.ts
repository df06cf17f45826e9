import type { Instrumentation } from "next";

/** Runs once when a server process starts, before its first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  if (process.env.NEXT_PHASE === "phase-production-build") return;
  try {
    await prepareServer();
  } catch (error) {
    // Next.js would go on, with a gate that never opens (gate.mjs), or without what protects.
    const { OperatorError } = await import("@/lib/operator-error");
    console.error(error instanceof OperatorError ? error.message : error);
    // By another name: the build's version for the edge has no such thing, and would say so.
    const { exit } = process;
    exit(1);
  }
}

async function prepareServer(): Promise<void> {
  // Once more, for the build, which makes a version for the edge and takes what follows for part of it.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { env } = await import("@/lib/env");
  // A wrong configuration stops the start here rather than a visitor later.
  const { NODE_ENV, DATABASE_URL, OTEL_EXPORTER_OTLP_ENDPOINT } = env();
  if (NODE_ENV === "production" && DATABASE_URL === undefined) {
    const { OperatorError } = await import("@/lib/operator-error");
    throw new OperatorError(
      "DATABASE_URL manque, elle est obligatoire ici : seul npm start lance une base embarquée. Chaque variable est expliquée dans .env.example.",
    );
  }
  const { unlinkImmediates } = await import("@/lib/health/immediates");
  unlinkImmediates();
  const { interceptRequests } = await import("@/lib/http/server/incoming");
  interceptRequests();
  const { logResponses } = await import("@/lib/http/server/request-log");
  logResponses();
  const { watchCatalogueRequests } = await import("@/lib/catalogue/incoming");
  watchCatalogueRequests();
  const { interceptResponses } = await import("@/lib/http/server/outgoing");
  interceptResponses();
  const { publishPagePolicy } = await import("@/lib/http/server/content-security");
  publishPagePolicy();
  const { openGate } = await import("@/lib/http/server/gate");
  openGate();
  const { warnOfUnusableFolders } = await import("@/lib/health/folders");
  warnOfUnusableFolders();
  const { warnOfMissingServices } = await import("@/lib/health/missing-services");
  warnOfMissingServices();
  const { startSharedCache } = await import("@/lib/http/cache/shared-cache");
  await startSharedCache();
  const { purgeEverything } = await import("@/lib/http/cache/purge");
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
  const { redirectConsole } = await import("@/lib/http/server/console");
  redirectConsole();
  const { drainOnSignals } = await import("@/lib/health/shutdown");
  drainOnSignals();
}

/** What Next.js catches while it makes a page. An error page shows the same reference (digest). */
export const onRequestError: Instrumentation.onRequestError = async (error, _, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { isOverload, recordPageError } = await import("@/lib/http/server/outage");
  recordPageError(error);
  const { log } = await import("@/lib/http/server/log");
  // Where there are too many of them, not as many lines as well.
  const level = isOverload(error) ? "debug" : "error";
  log[level]({ err: error, route: routePath }, "page failed");
};
