import { performance } from "node:perf_hooks";
import { db } from "@/db";
import { deleteOldRegistrations } from "@/lib/account/retention";
import { deleteEndedCheckouts, deleteOldEvents } from "@/lib/checkout/retention";
import { deleteOldMessages } from "@/lib/contact/mutations";
import { deleteOldMails } from "@/lib/mail/outbox";
import { resealStoredSecrets } from "@/lib/maintenance/reseal";
import { deleteEndedHolds } from "@/lib/stock/holds";
import { deleteOldAlerts } from "@/lib/stock-alerts/mutations";

/** Milliseconds between two runs in a process; a short-lived (serverless) process runs once. */
const INTERVAL = 3_600_000;

let last: number | undefined;

/**
 * Once an hour, deletes data whose retention period is over, and reseals secrets. Any number of processes may
 * run it at once.
 *
 * @param isEager run even within an hour of the last run
 */
export async function maintain({ isEager = false } = {}): Promise<void> {
  const now = performance.now();
  if (!isEager && last !== undefined && now - last < INTERVAL) return;
  await deleteExpired();
  await resealStoredSecrets();
  last = now;
}

/** Deletes data whose retention period is over: docs/decisions/015 and 016. */
export async function deleteExpired(): Promise<void> {
  await deleteOldEvents();
  await deleteEndedCheckouts();
  await deleteEndedHolds(db);
  await deleteOldMessages();
  await deleteOldRegistrations();
  await deleteOldAlerts();
  await deleteOldMails();
}
