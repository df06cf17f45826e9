import { perProcess } from "@/lib/per-process";

/** Bytes that the unfinished bodies of all requests may take in this process. */
export const MAX_BYTES = 32 * 2 ** 20;

/**
 * The first bytes of each body do not count: its connection takes as much memory anyway, and whoever logs
 * in or buys sends less, so that they need no room beside large bodies.
 */
const FREE_BYTES = 8 * 2 ** 10;

/** The memory of request bodies that have not arrived as a whole. */
export class BodyBudget {
  private used = 0;

  constructor(private readonly maxBytes: number) {}

  /** The place of one body. To be closed when it is complete or given up. */
  open(): BodyHold {
    let held = 0;
    const resizeTo = (counted: number) => {
      const used = this.used + counted - held;
      if (counted > held && used > this.maxBytes) return false;
      this.used = used;
      held = counted;
      return true;
    };
    return {
      resize: (bytes) => resizeTo(Math.max(0, bytes - FREE_BYTES)),
      close: () => void resizeTo(0),
    };
  }
}

interface BodyHold {
  /** Makes the body's place this large; false, and as it was, where there is no room. */
  resize(bytes: number): boolean;
  close(): void;
}

/** This process's. */
export const bodyBudget = (): BodyBudget =>
  perProcess("body-budget", () => new BodyBudget(MAX_BYTES));
