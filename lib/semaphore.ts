export interface Semaphore {
  /**
   * Waits for a permit, and holds it until the signal is aborted.
   *
   * @throws the signal's reason, where it is aborted before
   */
  acquire(signal: AbortSignal): Promise<void>;
  /** Permits that are held. */
  readonly inUse: number;
  /** Requests for a permit that wait. */
  readonly waiting: number;
}

/** A semaphore with `max` permits, which are given in the order of the requests. */
export function createSemaphore(max: number): Semaphore {
  const waiting = new Set<() => void>();
  let running = 0;
  const startNext = () => {
    for (const start of waiting) {
      if (running >= max) return;
      waiting.delete(start);
      running += 1;
      start();
    }
  };
  return {
    acquire: (signal) =>
      new Promise((start, reject) => {
        if (signal.aborted) return reject(signal.reason);
        waiting.add(start);
        signal.addEventListener("abort", () => {
          if (waiting.delete(start)) reject(signal.reason);
          else running -= 1;
          startNext();
        });
        startNext();
      }),
    get inUse() {
      return running;
    },
    get waiting() {
      return waiting.size;
    },
  };
}
