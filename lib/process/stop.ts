import { closeDatabase } from "@/db";
import { closeProbe } from "@/lib/health/queries";
import { startDraining } from "@/lib/http/server/draining";
import { log } from "@/lib/http/server/log";
import { stopDrawing } from "@/lib/invoices/drawing";
import { stopWorkers } from "@/lib/process/workers";

/** What server.mjs emits when it shuts down: `drain` at once, `stop` when all requests have been answered. */
export const SHUTDOWN_EVENTS = { drain: "shop:drain", stop: "shop:stop" } as const;

/**
 * Shuts down together with server.mjs: reports that the process is not ready any more, then finishes the workers' current
 * items and closes the database. Next.js's own server ends at once: the workers' work survives that, too.
 *
 * @param telemetry sends the remaining data
 */
export function stopOnSignals({ telemetry }: { telemetry?: () => Promise<void> }): void {
  process.on(SHUTDOWN_EVENTS.drain as never, () => {
    startDraining();
    log.info({}, "leaving: not ready for new visitors any more");
  });
  process.on(SHUTDOWN_EVENTS.stop as never, (pending: Promise<unknown>[]) => {
    pending.push(stop(telemetry));
  });
}

async function stop(telemetry: (() => Promise<void>) | undefined): Promise<void> {
  try {
    await stopWorkers();
    await Promise.all([closeDatabase(), closeProbe(), telemetry?.(), stopDrawing()]);
  } catch (error) {
    log.error({ err: error }, "leaving in disorder");
  }
}
