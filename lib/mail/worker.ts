import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { createWorker } from "@/lib/background/worker";
import { deliverDueMails } from "@/lib/mail/delivery";

/** Milliseconds for which the event loop is observed before each mail. */
const WATCHED_MS = 25;
/** Utilization of the event loop, 0 to 1, above which the process counts as busy. */
const BUSY_UTILIZATION = 0.3;
/** Milliseconds of pause before each mail in a busy process, which then sends about 3 per second. */
const PAUSE_MS = 250;

export const mailWorker = createWorker({
  name: "mail-worker",
  failure: "mails cannot be delivered",
  run: (signal) => deliverDueMails({ pause: yieldToRequests, signal }),
});

/** A mail with an invoice takes as long as many requests: a busy process serves requests first. */
async function yieldToRequests(): Promise<void> {
  const before = performance.eventLoopUtilization();
  await delay(WATCHED_MS);
  if (performance.eventLoopUtilization(before).utilization > BUSY_UTILIZATION)
    await delay(PAUSE_MS);
}
