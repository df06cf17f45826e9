import { closeDatabase } from "@/db";
import { closeProbe } from "@/lib/health/queries";
import { startDraining } from "@/lib/http/server/draining";
import { log } from "@/lib/http/server/log";
import { stopDrawing } from "@/lib/invoices/drawing";
import { stopWorkers } from "@/lib/process/workers";

/**
 * Shuts down together with server.mjs, in three steps: reports that the process is not ready any more; when all requests
 * have been answered, finishes the workers' current items; at the end closes the database. Next.js's own server ends at
 * once: the workers' work survives that, too.
 *
 * @param stopTelemetry sends the remaining data
 */
export function stopWithServer(stopTelemetry?: () => Promise<void>): void {
  onEvent("shop:drain", async () => {
    startDraining();
    log.info({}, "leaving: not ready for new visitors any more");
  });
  onEvent("shop:stop", stopWorkers);
  onEvent("shop:end", () =>
    Promise.all([closeDatabase(), closeProbe(), stopTelemetry?.(), stopDrawing()]),
  );
}

/** server.mjs waits for what is added to the event's list. */
function onEvent(event: string, run: () => Promise<unknown>): void {
  process.on(event as never, (pending: Promise<unknown>[]) => {
    pending.push(run().catch((error) => log.error({ err: error }, "leaving in disorder")));
  });
}
