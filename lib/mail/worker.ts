import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { log } from "@/lib/http/log";
import { deliverDueMails } from "@/lib/mail/delivery";

/** Milliseconds between two looks at the outbox, for mails whose time to be tried again has come. */
const INTERVAL = 15_000;
/** Mails per round. */
const LIMIT = 100;
/** Share of its time that a process works from which on mails wait between each other. */
const BUSY = 0.7;
/** Milliseconds. */
const PAUSE = 100;

interface Worker {
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | undefined;
  next: Promise<void> | undefined;
  isFailing: boolean;
  /** Ends a round before its next mail. */
  ending: AbortController;
}

// Next.js may load this module once per bundle; one process has one worker.
const KEY = Symbol.for("mini-ecommerce.mail-worker");
const shared = globalThis as { [KEY]?: Worker };
shared[KEY] ??= {
  timer: undefined,
  running: undefined,
  next: undefined,
  isFailing: false,
  ending: new AbortController(),
};
const worker: Worker = shared[KEY];

/**
 * Delivers what is due. Rounds of one process follow each other; whoever asks while one runs gets
 * the next one, together with all others who ask meanwhile. Never throws.
 */
export function deliverSoon(): Promise<void> {
  if (worker.running === undefined) {
    worker.running = deliver().finally(() => {
      worker.running = undefined;
    });
    return worker.running;
  }
  worker.next ??= worker.running.then(() => {
    worker.next = undefined;
    return deliverSoon();
  });
  return worker.next;
}

async function deliver(): Promise<void> {
  try {
    await deliverDueMails({ limit: LIMIT, pause: giveWay, signal: worker.ending.signal });
    worker.isFailing = false;
  } catch (error) {
    // The database is away: said once, not four times a minute.
    if (!worker.isFailing) log.error({ err: error }, "mails cannot be delivered");
    worker.isFailing = true;
  }
}

let lastLoad = performance.eventLoopUtilization();

/** A mail with its invoice takes as long to make as many answers: in a busy process they go first. */
async function giveWay(): Promise<void> {
  const load = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(load, lastLoad);
  lastLoad = load;
  if (utilization > BUSY) await delay(PAUSE);
}

/** Looks at the outbox from time to time, until `stopMailWorker`. A second call changes nothing. */
export function startMailWorker({ interval = INTERVAL }: { interval?: number } = {}): void {
  if (worker.timer !== undefined) return;
  worker.timer = setInterval(deliverSoon, interval);
  worker.timer.unref();
}

/** Stops looking, and waits for the mail that is on its way; the others stay in the outbox. */
export async function stopMailWorker(): Promise<void> {
  clearInterval(worker.timer);
  worker.timer = undefined;
  worker.ending.abort();
  while (worker.running) await worker.running;
  worker.ending = new AbortController();
}
