import { lt, sql } from "drizzle-orm";
import { db } from "@/db";
import { deleteInBatches } from "@/db/delete-in-batches";
import { contactMessages } from "@/db/schema/contact";
import { contactMail } from "@/lib/env";
import { enqueueMail } from "@/lib/mail/outbox";

/** Days that a message is kept in the database, in addition to its mail. */
const RETENTION_DAYS = 365;

/** Stores a message and enqueues its mail to the shop, in one transaction. */
export async function createContactMessage({
  name,
  email,
  message,
}: {
  name: string;
  email: string;
  message: string;
}): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(contactMessages).values({ name, email, message });
    await enqueueMail(tx, {
      template: "contact",
      data: { name, email, message },
      to: contactMail(),
      replyTo: email,
    });
  });
}

/** Deletes old messages: they hold personal data. */
export async function deleteOldMessages(): Promise<void> {
  await deleteInBatches(
    contactMessages,
    lt(contactMessages.createdAt, sql`now() - make_interval(days => ${RETENTION_DAYS})`),
  );
}
