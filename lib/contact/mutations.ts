import { db } from "@/db";
import { contactMessages } from "@/db/schema/contact";
import { contactMail } from "@/lib/env";
import { enqueueMail } from "@/lib/mail/outbox";

/** Stores a message and has it mailed to the shop: both or neither. */
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
