import { setTimeout as delay } from "node:timers/promises";
import { closeDatabase } from "@/db";
import { env } from "@/lib/env";
import { closeProbe } from "@/lib/health/queries";
import { isDraining, startDraining } from "@/lib/http/server/draining";
import { log } from "@/lib/http/server/log";
import type { ShopServer } from "@/lib/http/server/shop-server";
import { stopDrawing } from "@/lib/invoices/drawing";
import { stopWorkers } from "@/lib/process/services";
import { stopTelemetry } from "@/lib/process/start";

/** Milliseconds for requests and workers to finish. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

interface Running {
  server: ShopServer;
  /** Waits for work that Next.js does after its responses. */
  closeNext: () => Promise<void>;
}

/**
 * Shuts down gracefully on SIGTERM and SIGINT, and when the command that started this process is gone.
 * First the shop reports that it is draining (`/api/ready`). For DRAIN_DELAY seconds it continues to
 * answer, since a proxy may still send requests. Then it stops listening, and finishes open requests and
 * the workers' current items.
 */
export function drainOnSignals(running: Running): void {
  // A second signal is ignored: a terminal sends it to every process, and npm passes it on.
  const drain = () => {
    if (!isDraining()) void shutDown(running);
  };
  for (const event of ["SIGTERM", "SIGINT", "disconnect"]) process.on(event, drain);
}

async function shutDown({ server, closeNext }: Running): Promise<void> {
  const { DRAIN_DELAY } = env();
  startDraining();
  log.info({ seconds: DRAIN_DELAY }, "leaving: not ready for new visitors any more");
  await delay(DRAIN_DELAY * 1000);
  setTimeout(() => {
    log.warn({ seconds: SHUTDOWN_TIMEOUT_MS / 1000 }, "leaving: what still runs is cut");
    process.exit(0);
  }, SHUTDOWN_TIMEOUT_MS);
  try {
    await Promise.all([server.stop(), stopWorkers()]);
    await closeNext();
    // Again: the last requests may have triggered the workers.
    await stopWorkers();
    await Promise.all([closeDatabase(), closeProbe(), stopTelemetry(), stopDrawing()]);
  } catch (error) {
    log.error({ err: error }, "leaving in disorder");
  }
  process.exit(0);
}
