import { subscribe } from "node:diagnostics_channel";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { closeDatabase } from "@/db";
import { checkoutWorker } from "@/lib/checkout/worker";
import { env } from "@/lib/env";
import { isDraining, startDraining } from "@/lib/health/draining";
import { closeProbe } from "@/lib/health/queries";
import { keepUnreadResponses } from "@/lib/health/unread-responses";
import { log } from "@/lib/http/server/log";
import { stopDrawing } from "@/lib/invoices/drawing";
import { mailWorker } from "@/lib/mail/worker";
import { stopTelemetry } from "@/lib/telemetry/stop";
import { pictureWorker } from "@/lib/uploads/worker";

/** Milliseconds that requests and workers have to finish. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
type Signal = (typeof SIGNALS)[number];

/**
 * Graceful shutdown, before Next.js's own, which stops listening at once, while a proxy may still send
 * requests. The shop first reports that it is draining (`/api/ready`), goes on answering for
 * DRAIN_DELAY seconds, then stops listening and finishes open requests and the workers' current
 * items. To be called in a process that serves.
 */
export function drainOnSignals(): void {
  keepUnreadResponses();
  // Channels of node:http itself; the first is published before the server's own request event.
  subscribe("http.server.request.start", (message) => {
    if (isDraining()) (message as { response: ServerResponse }).response.shouldKeepAlive = false;
  });
  // Connections of responses whose headers were sent before would keep the server open. While it
  // listens the client may be sending the next request on one.
  subscribe("http.server.response.finish", (message) => {
    const { server, socket } = message as { server: Server; socket: Socket };
    if (isDraining() && !server.listening) socket.destroySoon();
  });
  for (const signal of SIGNALS) {
    const closeServer = process.listeners(signal);
    process.removeAllListeners(signal);
    // A second signal is ignored: a terminal sends it to every process, and npm passes it on.
    process.on(signal, () => {
      if (!isDraining()) void shutDown({ signal, closeServer });
    });
  }
}

async function shutDown({
  signal,
  closeServer,
}: {
  signal: Signal;
  closeServer: readonly NodeJS.SignalsListener[];
}): Promise<void> {
  const { DRAIN_DELAY } = env();
  startDraining();
  log.info({ seconds: DRAIN_DELAY }, "leaving: not ready for new visitors any more");
  await delay(DRAIN_DELAY * 1000);
  const { exit } = process;
  setTimeout(() => {
    log.warn({ seconds: SHUTDOWN_TIMEOUT_MS / 1000 }, "leaving: what still runs is cut");
    exit(0);
  }, SHUTDOWN_TIMEOUT_MS);
  // Next.js alone knows its server and pending `after` callbacks. It exits when both are done.
  process.exit = (() => {
    void closeConnections().finally(() => exit(0));
  }) as typeof process.exit;
  const working = stopWorkers();
  for (const close of closeServer) close(signal);
  await working;
}

async function stopWorkers(): Promise<void> {
  await Promise.all([mailWorker.stop(), checkoutWorker.stop(), pictureWorker.stop()]);
}

async function closeConnections(): Promise<void> {
  try {
    // Once more: the last requests may have triggered them.
    await stopWorkers();
    await Promise.all([closeDatabase(), closeProbe(), stopTelemetry(), stopDrawing()]);
  } catch (error) {
    log.error({ err: error }, "leaving in disorder");
  }
}
