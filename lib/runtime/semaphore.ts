export interface Semaphore {
  /**
   * Runs a task as soon as a permit is free.
   *
   * @param wait the longest time to wait, in milliseconds, the number of tasks that may wait (without it, any), and the
   *   error that is thrown beyond either
   */
  run<T>(
    task: () => Promise<T>,
    wait: { atMost: number; maxWaiting?: number; error: () => unknown },
  ): Promise<T>;
  /**
   * Waits for a permit, and holds it until the signal is aborted.
   *
   * @throws the signal's reason, if it is aborted during the wait
   */
  hold(signal: AbortSignal): Promise<void>;
  /** Permits that are held. */
  readonly inUse: number;
  /** Requests for a permit that wait. */
  readonly waiting: number;
}

/** A semaphore with `max` permits, which are given in the order of the requests. */
export function createSemaphore(max: number): Semaphore {
  const queue = new Set<() => void>();
  let inUse = 0;
  const tryAcquire = (): boolean => {
    if (inUse === max) return false;
    inUse += 1;
    return true;
  };
  const release = () => {
    inUse -= 1;
    const [next] = queue;
    if (!next) return;
    queue.delete(next);
    inUse += 1;
    next();
  };
  return {
    run: async (task, { atMost, maxWaiting = Number.POSITIVE_INFINITY, error }) => {
      if (!tryAcquire()) {
        if (queue.size >= maxWaiting) throw error();
        await new Promise<void>((resolve, reject) => {
          const start = () => {
            clearTimeout(timer);
            resolve();
          };
          const timer = setTimeout(() => {
            queue.delete(start);
            reject(error());
          }, atMost);
          queue.add(start);
        });
      }
      try {
        return await task();
      } finally {
        release();
      }
    },
    hold: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (tryAcquire()) resolve();
        else queue.add(resolve);
        signal.addEventListener("abort", () => {
          if (queue.delete(resolve)) reject(signal.reason);
          else release();
        });
      }),
    get inUse() {
      return inUse;
    },
    get waiting() {
      return queue.size;
    },
  };
}
