import { env } from "@/lib/env";
import { perProcess } from "@/lib/per-process";

// A semaphore for requests that render or query the database, which take memory until they are
// answered: beyond the bound a request is refused at once (503). Cached pages and files are not
// counted: docs/decisions/031.

/** Requests that this process renders or reads for at a time. */
const MAX_READS = 300;

/** Of them, those of one client network; multiplied by RATE_LIMIT_SCALE. */
export const MAX_READS_PER_NETWORK = 100;

export class ReadSemaphore {
  private readonly heldBy = new Map<string, number>();
  /** Permits that are held. */
  inUse = 0;

  constructor(private readonly limits: { max: number; maxPerNetwork: number }) {}

  /**
   * Acquires a permit and returns the function that releases it; null where none is left.
   *
   * @param network the client's; empty where it is unknown
   */
  tryAcquire(network = ""): (() => void) | null {
    const { max, maxPerNetwork } = this.limits;
    const own = this.heldBy.get(network) ?? 0;
    if (this.inUse >= max || (network && own >= maxPerNetwork)) return null;
    this.inUse += 1;
    this.heldBy.set(network, own + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.inUse -= 1;
      const rest = (this.heldBy.get(network) ?? 1) - 1;
      if (rest > 0) this.heldBy.set(network, rest);
      else this.heldBy.delete(network);
    };
  }
}

/** This process's. */
export const readSemaphore = (): ReadSemaphore =>
  perProcess("readings", () => {
    const maxPerNetwork = Math.max(1, Math.round(MAX_READS_PER_NETWORK * env().RATE_LIMIT_SCALE));
    return new ReadSemaphore({ max: MAX_READS, maxPerNetwork });
  });
