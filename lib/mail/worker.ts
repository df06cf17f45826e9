import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { deliverDueMails } from "@/lib/mail/delivery";
import { roundsOf } from "@/lib/rounds";

/** Mails per round. */
const LIMIT = 100;
/** Share of its time that a process works from which on mails wait between each other. */
const BUSY = 0.7;
/** Milliseconds. */
const PAUSE = 100;

/** Delivers the mails of the outbox. Rounds find those whose time to be tried again has come. */
export const mailWorker = roundsOf({
  name: "mail-worker",
  failure: "mails cannot be delivered",
  run: (signal) => deliverDueMails({ limit: LIMIT, pause: giveWay, signal }),
});

let lastLoad = performance.eventLoopUtilization();

/** A mail with its invoice takes as long to make as many answers: in a busy process they go first. */
async function giveWay(): Promise<void> {
  const load = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(load, lastLoad);
  lastLoad = load;
  if (utilization > BUSY) await delay(PAUSE);
}
