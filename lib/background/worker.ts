import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/runtime/per-process";

/** Default milliseconds between two rounds. */
const INTERVAL = 15_000;

interface State {
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | undefined;
  queued: Promise<void> | undefined;
  isFailing: boolean;
  /** Ends a round before its next item. */
  abortController: AbortController;
}

/** Processes due work from the database, in rounds; any number of processes may run at once. */
interface Worker {
  /**
   * Runs a round. Rounds of one process are sequential: calls during a round share the next one. Never throws.
   */
  trigger(): Promise<void>;
  /** Runs a round periodically, until `stop`. A second call changes nothing. */
  start(options?: { interval?: number }): void;
  /** Stops, and waits for the item in progress; the other items stay in the database. */
  stop(): Promise<void>;
}

/**
 * @param name unique in the process
 * @param interval milliseconds between two rounds
 * @param failure the log message for a failed round
 * @param run runs one round; ends it before its next item once `signal` is aborted
 */
export function createWorker({
  name,
  interval = INTERVAL,
  failure,
  run,
}: {
  name: string;
  interval?: number;
  failure: string;
  run: (signal: AbortSignal) => Promise<unknown>;
}): Worker {
  const state = perProcess<State>(name, () => ({
    timer: undefined,
    running: undefined,
    queued: undefined,
    isFailing: false,
    abortController: new AbortController(),
  }));

  async function round(): Promise<void> {
    try {
      await run(state.abortController.signal);
      state.isFailing = false;
    } catch (error) {
      // Log an unreachable database once, not four times a minute.
      if (!state.isFailing) log.error({ err: error }, failure);
      state.isFailing = true;
    }
  }

  function trigger(): Promise<void> {
    if (state.running === undefined) {
      state.running = round().finally(() => {
        state.running = undefined;
      });
      return state.running;
    }
    state.queued ??= state.running.then(() => {
      state.queued = undefined;
      return trigger();
    });
    return state.queued;
  }

  return {
    trigger,
    start: (options = {}) => {
      if (state.timer !== undefined) return;
      state.timer = setInterval(trigger, options.interval ?? interval);
      state.timer.unref();
    },
    stop: async () => {
      clearInterval(state.timer);
      state.timer = undefined;
      state.abortController.abort();
      while (state.running) await state.running;
      state.abortController = new AbortController();
    },
  };
}
