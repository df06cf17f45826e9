import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { createWorker } from "@/lib/background/worker";
import { deliverDueMails } from "@/lib/mail/delivery";

/** Milliseconds before each mail in which the process is watched. */
const WATCHED_MS = 25;
/** Share of that time in which its event loop works, from which on the process is busy. */
const BUSY_UTILIZATION = 0.3;
/** Milliseconds between two mails of a busy process: some 3 per second leave it, the others later. */
const PAUSE_MS = 250;

/** Delivers the mails of the outbox, retries included. */
export const mailWorker = createWorker({
  name: "mail-worker",
  failure: "mails cannot be delivered",
  run: (signal) => deliverDueMails({ pause: yieldToRequests, signal }),
});

/** A mail with its invoice takes as long as many requests: in a busy process they go first. */
async function yieldToRequests(): Promise<void> {
  const before = performance.eventLoopUtilization();
  await delay(WATCHED_MS);
  if (performance.eventLoopUtilization(before).utilization > BUSY_UTILIZATION)
    await delay(PAUSE_MS);
}
