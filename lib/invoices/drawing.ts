import { Worker } from "node:worker_threads";
import { fail } from "@/lib/errors/failure";
import type { PackingSlips } from "@/lib/invoices/packing-slips";
import type { Sheet } from "@/lib/invoices/sheet";
import { perProcess } from "@/lib/runtime/per-process";

// Drawing takes some ten times as long as answering a request. It runs in a thread of its own, so that
// requests go on meanwhile. The first sheet starts the thread; it ends when it is idle.

/** Most sheets waiting for the thread; the last one waits for some seconds. */
const MAX_WAITING = 100;

/** Idle milliseconds after which the thread ends and frees its memory. */
const IDLE_MS = 30_000;

/** Milliseconds allowed for one sheet; a sheet of 1,000 lines takes some seconds. */
const TIMEOUT_MS = 60_000;

/** Memory limits in MiB; a sheet of 1,000 lines takes half of it. */
const MEMORY_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

const BUSY = "Trop de factures sont demandées en ce moment. Réessayez dans quelques secondes.";

export type Drawable = Sheet | PackingSlips;

interface State {
  worker: Worker | undefined;
  /** The sheet being drawn. */
  job: { resolve: (pdf: Uint8Array) => void; reject: (error: Error) => void } | undefined;
  idle: NodeJS.Timeout | undefined;
  /** Settles when all sheets requested so far are drawn or have failed. */
  last: Promise<unknown>;
  /** Sheets requested and not drawn yet. */
  waiting: number;
}

const state = perProcess<State>("drawing", () => ({
  worker: undefined,
  job: undefined,
  idle: undefined,
  last: Promise.resolve(),
  waiting: 0,
}));

/**
 * Draws an invoice, a credit note or packing slips as a PDF, after all sheets requested earlier.
 *
 * @param ignoresQueueLimit for background work: it waits even where the queue is full
 * @throws 503 where too many sheets are waiting; an error where this sheet cannot be drawn, which does not
 *   affect the other sheets
 */
export function drawInThread({
  sheet,
  ignoresQueueLimit = false,
}: {
  sheet: Drawable;
  ignoresQueueLimit?: boolean;
}): Promise<Uint8Array> {
  if (state.waiting >= MAX_WAITING && !ignoresQueueLimit)
    return Promise.reject(fail.unavailable(BUSY));
  state.waiting += 1;
  const drawn = state.last.then(() => drawNow(sheet));
  state.last = drawn.then(
    () => undefined,
    () => undefined,
  );
  return drawn.finally(() => {
    state.waiting -= 1;
  });
}

async function drawNow(sheet: Drawable): Promise<Uint8Array> {
  clearTimeout(state.idle);
  const worker = state.worker ?? startWorker();
  state.worker = worker;
  // Keeps the process alive while the thread draws.
  worker.ref();
  const timeout = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      state.job = { resolve, reject };
      worker.postMessage(sheet);
    });
  } finally {
    state.job = undefined;
    clearTimeout(timeout);
    worker.unref();
    state.idle = setTimeout(() => void stopWorker(), IDLE_MS);
    state.idle.unref();
  }
}

function openThread(): Worker {
  // `execArgv: []`: the thread does not take over the options of the process.
  const options = { resourceLimits: MEMORY_LIMITS, execArgv: [] };
  // Next.js recognises this exact expression: it builds the file and deploys it with the shop.
  if (process.env.NEXT_RUNTIME === "nodejs")
    return new Worker(new URL("./drawing-thread.ts", import.meta.url), options);
  // Scripts and tests run without a build: tsx loads the source.
  const file = JSON.stringify(new URL("./drawing-thread.ts", import.meta.url));
  const program = `import("tsx/esm/api").then(({ register }) => { register(); return import(${file}); })`;
  return new Worker(program, { ...options, eval: true });
}

function startWorker(): Worker {
  const worker = openThread();
  const forget = (error: Error) => {
    if (state.worker !== worker) return;
    state.worker = undefined;
    state.job?.reject(error);
  };
  worker.on("message", (pdf: Uint8Array) => state.job?.resolve(pdf));
  worker.on("error", forget);
  worker.on("exit", () => forget(new Error("The thread that draws invoices has ended.")));
  return worker;
}

async function stopWorker(): Promise<void> {
  const { worker } = state;
  state.worker = undefined;
  clearTimeout(state.idle);
  await worker?.terminate();
}

/** Waits for the requested sheets, then ends the thread. The next sheet starts a new thread. */
export async function stopDrawing(): Promise<void> {
  while (state.waiting > 0) await state.last;
  await stopWorker();
}
