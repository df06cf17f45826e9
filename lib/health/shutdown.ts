import { subscribe } from "node:diagnostics_channel";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { closeDatabase } from "@/db";
import { checkoutWorker } from "@/lib/checkout/worker";
import { env } from "@/lib/env";
import { isDraining, startDraining } from "@/lib/health/draining";
import { closeProbe } from "@/lib/health/queries";
import { keepUnreadAnswers } from "@/lib/health/unread-answers";
import { log } from "@/lib/http/log";
import { mailWorker } from "@/lib/mail/worker";
import { stopTelemetry } from "@/lib/telemetry/stop";
import { pictureWorker } from "@/lib/uploads/worker";

/** Milliseconds that requests and workers have to end what they are at. */
const PATIENCE = 20_000;

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
type Signal = (typeof SIGNALS)[number];

/**
 * Puts an orderly end before Next.js's own, which stops listening at once: a proxy that has not
 * noticed yet would find the door closed. Here the shop says first that it is leaving
 * (`/api/ready`), goes on answering for DRAIN_DELAY seconds, and only then stops listening, answers
 * what has come in, and ends what its workers are at. To be called in a process that serves.
 */
export function drainOnSignals(): void {
  keepUnreadAnswers();
  // Channels of node:http itself; the first is published before the server's own request event.
  subscribe("http.server.request.start", (message) => {
    if (isDraining()) (message as { response: ServerResponse }).response.shouldKeepAlive = false;
  });
  // Those whose headers had gone before: their visitors would keep the server open. While it listens
  // they may be sending the next request, having been told that the connection stays.
  subscribe("http.server.response.finish", (message) => {
    const { server, socket } = message as { server: Server; socket: Socket };
    if (isDraining() && !server.listening) socket.destroySoon();
  });
  for (const signal of SIGNALS) {
    const closeServer = process.listeners(signal);
    process.removeAllListeners(signal);
    // A second one is the same wish: a terminal sends it to every process, npm passes it on.
    process.on(signal, () => {
      if (!isDraining()) void leave({ signal, closeServer });
    });
  }
}

async function leave({
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
    log.warn({ seconds: PATIENCE / 1000 }, "leaving: what still runs is cut");
    exit(0);
  }, PATIENCE);
  // Next.js alone knows its server, and what `after` has yet to do. It exits when both are done.
  process.exit = (() => {
    void finish().finally(() => exit(0));
  }) as typeof process.exit;
  const working = stopWorkers();
  for (const close of closeServer) close(signal);
  await working;
}

async function stopWorkers(): Promise<void> {
  await Promise.all([mailWorker.stop(), checkoutWorker.stop(), pictureWorker.stop()]);
}

async function finish(): Promise<void> {
  try {
    // Once more: the last answers may have given them work.
    await stopWorkers();
    await Promise.all([closeDatabase(), closeProbe(), stopTelemetry()]);
  } catch (error) {
    log.error({ err: error }, "leaving in disorder");
  }
}
