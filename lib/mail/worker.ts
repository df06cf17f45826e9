import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { createWorker } from "@/lib/background/worker";
import { deliverDueMails } from "@/lib/mail/delivery";

/** Event loop utilization from which on the worker pauses between mails. */
const BUSY_UTILIZATION = 0.7;
/** Milliseconds. */
const PAUSE_MS = 100;

/** Delivers the mails of the outbox, retries included. */
export const mailWorker = createWorker({
  name: "mail-worker",
  failure: "mails cannot be delivered",
  run: (signal) => deliverDueMails({ pause: yieldToRequests, signal }),
});

let lastLoad = performance.eventLoopUtilization();

/** Rendering a mail with its invoice takes as long as many requests, which go first in a busy process. */
async function yieldToRequests(): Promise<void> {
  const load = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(load, lastLoad);
  lastLoad = load;
  if (utilization > BUSY_UTILIZATION) await delay(PAUSE_MS);
}
