import { env } from "@/lib/env";
import { perProcess } from "@/lib/per-process";

// A semaphore for requests that render or query the database, which take memory until they are
// answered: beyond the bound a request is refused at once (503). Cached pages and files are not
// counted: docs/decisions/031.

/** Requests that this process renders or reads for at a time. */
const MAX_READS = 300;

/** Of them, those of one client network; multiplied by RATE_LIMIT_SCALE. */
export const MAX_READS_PER_NETWORK = 100;

interface ReadSemaphore {
  /**
   * Acquires a permit and returns the function that releases it; null where none is left.
   *
   * @param network the client's; undefined where it is unknown
   */
  tryAcquire(network: string | undefined): (() => void) | null;
  /** Permits that are held. */
  readonly inUse: number;
}

export function createReadSemaphore({
  max,
  maxPerNetwork,
}: {
  max: number;
  maxPerNetwork: number;
}): ReadSemaphore {
  const countByNetwork = new Map<string, number>();
  let count = 0;
  return {
    get inUse() {
      return count;
    },
    tryAcquire(network = "") {
      const own = countByNetwork.get(network) ?? 0;
      if (count >= max || (network && own >= maxPerNetwork)) return null;
      count += 1;
      countByNetwork.set(network, own + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        count -= 1;
        const rest = (countByNetwork.get(network) ?? 1) - 1;
        if (rest > 0) countByNetwork.set(network, rest);
        else countByNetwork.delete(network);
      };
    },
  };
}

/** This process's. */
export const readSemaphore = (): ReadSemaphore =>
  perProcess("readings", () =>
    createReadSemaphore({
      max: MAX_READS,
      maxPerNetwork: Math.max(1, Math.round(MAX_READS_PER_NETWORK * env().RATE_LIMIT_SCALE)),
    }),
  );
