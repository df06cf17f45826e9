import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { users } from "./auth";
import { createdAt, identity, instant } from "./columns";

/**
 * Mails to send. The transaction that causes a mail writes it here, and it is delivered after the commit:
 * a crash loses no mail, and nothing that was rolled back is announced.
 */
export const mailOutbox = pgTable(
  "mail_outbox",
  {
    id: identity(),
    /** Names the template; `data` holds its props. */
    template: text("template").notNull(),
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
    recipient: text("recipient").notNull(),
    replyTo: text("reply_to"),
    /** The user that the mail is about: erasing the account deletes the mail. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** Idempotency key: at most one mail per key. */
    dedupeKey: text("dedupe_key"),
    status: text("status", { enum: ["pending", "sent", "failed"] })
      .notNull()
      .default("pending"),
    /** Sent before the others, because somebody waits for it. */
    isUrgent: boolean("is_urgent").notNull().default(false),
    attempts: integer("attempts").notNull().default(0),
    /** Earliest next attempt; a process claims the mail by postponing it, so that no other process does. */
    nextAttemptAt: instant("next_attempt_at").notNull().defaultNow(),
    lastError: text("last_error"),
    createdAt: createdAt(),
    sentAt: instant("sent_at"),
  },
  (t) => [
    index("mail_outbox_due_idx").on(t.nextAttemptAt).where(sql`${t.status} = 'pending'`),
    index("mail_outbox_urgent_idx")
      .on(t.nextAttemptAt)
      .where(sql`${t.status} = 'pending' and ${t.isUrgent}`),
    index("mail_outbox_sent_idx").on(t.sentAt).where(sql`${t.status} = 'sent'`),
    index("mail_outbox_failed_idx").on(t.createdAt).where(sql`${t.status} = 'failed'`),
    uniqueIndex("mail_outbox_dedupe_key").on(t.dedupeKey),
    index("mail_outbox_user_idx").on(t.userId),
    index("mail_outbox_recipient_idx").on(sql`lower(${t.recipient})`),
    index("mail_outbox_reply_to_idx").on(sql`lower(${t.replyTo})`),
    check("mail_outbox_status_known", sql`${t.status} in ('pending', 'sent', 'failed')`),
  ],
);
