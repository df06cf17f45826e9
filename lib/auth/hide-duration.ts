import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds, longer than the work takes. */
const DURATION = 250;

/**
 * Waits for work, and at least a fixed time: the duration must not reveal whether an account exists, or its
 * state.
 */
export async function hideDuration(work: Promise<unknown>): Promise<void> {
  await Promise.all([work, delay(DURATION)]);
}
