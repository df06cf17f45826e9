import { db } from "@/db";
import { deleteOldRegistrations } from "@/lib/account/retention";
import { deleteEndedCheckouts, deleteOldEvents } from "@/lib/checkout/retention";
import { deleteOldMessages } from "@/lib/contact/mutations";
import { deleteOldMails, deleteSentMails } from "@/lib/mail/outbox";
import { deleteEndedHolds } from "@/lib/stock/holds";

/**
 * Deletes what has been kept for its retention period: docs/decisions/016 and 067. Any number of processes may
 * do so at once.
 */
export async function deleteExpired(): Promise<void> {
  await deleteOldEvents();
  await deleteEndedCheckouts();
  await deleteEndedHolds(db);
  await deleteOldMessages();
  await deleteOldRegistrations();
  await deleteSentMails(db, { template: "payment-refunded" });
  await deleteOldMails();
}
