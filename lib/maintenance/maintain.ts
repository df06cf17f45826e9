import { performance } from "node:perf_hooks";
import { resealStoredSecrets } from "@/lib/maintenance/reseal";
import { deleteExpired } from "@/lib/maintenance/retention";

/** Milliseconds between two runs in a process; a short-lived one (serverless) runs once. */
const INTERVAL = 3_600_000;

let last: number | undefined;

/**
 * Once an hour, deletes what has been kept for its retention period, and seals secrets anew. Any number of
 * processes may do so at once.
 *
 * @param isEager also within an hour of the last run
 */
export async function maintain({ isEager = false } = {}): Promise<void> {
  const now = performance.now();
  if (!isEager && last !== undefined && now - last < INTERVAL) return;
  await deleteExpired();
  await resealStoredSecrets();
  last = now;
}
