import { log } from "@/lib/http/log";

/** Milliseconds between two rounds, unless said otherwise. */
const INTERVAL = 15_000;

interface State {
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | undefined;
  next: Promise<void> | undefined;
  isFailing: boolean;
  /** Ends a round before its next item. */
  ending: AbortController;
}

/** Work that waits in the database, done in rounds by whichever process comes first. */
export interface Rounds {
  /**
   * Does what is due. Rounds of one process follow each other; whoever asks while one runs gets the
   * next one, together with all others who ask meanwhile. Never throws.
   */
  soon(): Promise<void>;
  /** Has a round from time to time, until `stop`. A second call changes nothing. */
  start(options?: { interval?: number }): void;
  /** Has no more rounds, and waits for the item that is at hand; the others wait in the database. */
  stop(): Promise<void>;
}

/**
 * @param name of the work, for this process to do it once
 * @param interval milliseconds between two rounds
 * @param failure what the log says when a round has failed
 * @param run one round; it ends before its next item where `signal` is aborted
 */
export function roundsOf({
  name,
  interval = INTERVAL,
  failure,
  run,
}: {
  name: string;
  interval?: number;
  failure: string;
  run: (signal: AbortSignal) => Promise<unknown>;
}): Rounds {
  // Next.js may load a module once per bundle; one process has one worker.
  const key = Symbol.for(`mini-ecommerce.${name}`);
  const shared = globalThis as { [key]?: State };
  shared[key] ??= {
    timer: undefined,
    running: undefined,
    next: undefined,
    isFailing: false,
    ending: new AbortController(),
  };
  const state: State = shared[key];

  async function round(): Promise<void> {
    try {
      await run(state.ending.signal);
      state.isFailing = false;
    } catch (error) {
      // The database is away: said once, not four times a minute.
      if (!state.isFailing) log.error({ err: error }, failure);
      state.isFailing = true;
    }
  }

  function soon(): Promise<void> {
    if (state.running === undefined) {
      state.running = round().finally(() => {
        state.running = undefined;
      });
      return state.running;
    }
    state.next ??= state.running.then(() => {
      state.next = undefined;
      return soon();
    });
    return state.next;
  }

  return {
    soon,
    start: (options = {}) => {
      if (state.timer !== undefined) return;
      state.timer = setInterval(soon, options.interval ?? interval);
      state.timer.unref();
    },
    stop: async () => {
      clearInterval(state.timer);
      state.timer = undefined;
      state.ending.abort();
      while (state.running) await state.running;
      state.ending = new AbortController();
    },
  };
}
