import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds, longer than the work takes. */
const DURATION = 250;

/** Waits for work whose duration must not reveal whether, or in which state, there is an account. */
export async function hideDuration(work: Promise<unknown>): Promise<void> {
  await Promise.all([work, delay(DURATION)]);
}
