// With its ending: Node.js itself, which runs scripts and unit tests, does not find it without.
import { after } from "next/server.js";
import { log } from "@/lib/http/log";

/** Milliseconds between two looks at unfinished checkouts. */
const INTERVAL = 15_000;
/** Checkouts, and payments, per round. */
const LIMIT = 100;

interface Worker {
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | undefined;
  next: Promise<void> | undefined;
  isFailing: boolean;
  /** Ends a round before its next checkout. */
  ending: AbortController;
}

// Next.js may load this module once per bundle; one process has one worker.
const KEY = Symbol.for("mini-ecommerce.checkout-worker");
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
 * Reconciles what is due. Rounds of one process follow each other; whoever asks while one runs gets
 * the next one, together with all others who ask meanwhile. Never throws.
 */
function reconcileSoon(): Promise<void> {
  if (worker.running === undefined) {
    worker.running = round().finally(() => {
      worker.running = undefined;
    });
    return worker.running;
  }
  worker.next ??= worker.running.then(() => {
    worker.next = undefined;
    return reconcileSoon();
  });
  return worker.next;
}

async function round(): Promise<void> {
  try {
    // Loaded with the first round: most of a shop's processes on a host without background have none.
    const { reconcile } = await import("./reconcile");
    await reconcile({ limit: LIMIT, signal: worker.ending.signal });
    worker.isFailing = false;
  } catch (error) {
    // The database is away: said once, not four times a minute.
    if (!worker.isFailing) log.error({ err: error }, "checkouts cannot be reconciled");
    worker.isFailing = true;
  }
}

/** Settles payments once the answer to the current request has been sent. */
export function settleAfterAnswer(): void {
  try {
    after(reconcileSoon);
  } catch {
    // Not in a request: the next round will find them.
  }
}

/** Looks at unfinished checkouts from time to time, until `stopCheckoutWorker`. A second call changes nothing. */
export function startCheckoutWorker({ interval = INTERVAL }: { interval?: number } = {}): void {
  if (worker.timer !== undefined) return;
  worker.timer = setInterval(reconcileSoon, interval);
  worker.timer.unref();
}

/** Stops looking, and waits for the checkout that is at hand; the others wait in the database. */
export async function stopCheckoutWorker(): Promise<void> {
  clearInterval(worker.timer);
  worker.timer = undefined;
  worker.ending.abort();
  while (worker.running) await worker.running;
  worker.ending = new AbortController();
}
