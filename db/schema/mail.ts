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
 * Mails to be sent, written by the transaction that is their reason and delivered after it: a mail
 * is neither lost with a crash nor sent for something that was rolled back.
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
    /** Whom the mail is about: it goes when the account is erased. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** Idempotency key: at most one mail per key. */
    dedupeKey: text("dedupe_key"),
    status: text("status", { enum: ["pending", "sent", "failed"] })
      .notNull()
      .default("pending"),
    /** Somebody waits for it: it goes before the others. */
    isUrgent: boolean("is_urgent").notNull().default(false),
    attempts: integer("attempts").notNull().default(0),
    /** Not before; a process that claims the mail moves it on, so that no other claims it. */
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
