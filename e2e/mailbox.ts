import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { mailOutbox } from "@/db/schema/mail";

/** A mail as the shop writes it if no provider is configured. */
export interface Mail {
  to: string;
  from: string;
  replyTo?: string | null;
  subject: string;
  text: string;
  html: string;
  attachments?: { filename: string; contentType: string; content: string }[];
  createdAt: string;
}

interface MailFilter {
  to?: string;
  subject?: string | RegExp;
}

export interface Mailbox {
  /** The mails that were sent so far, oldest first. */
  list(filter?: MailFilter): Mail[];
  /** Waits for the mail that matches: mails are sent after the response. Fails if there are two. */
  waitForMail(filter: MailFilter): Promise<Mail>;
}

const matches = (mail: Mail, { to, subject }: MailFilter) =>
  (to === undefined || mail.to === to) &&
  (subject === undefined ||
    (typeof subject === "string" ? mail.subject === subject : subject.test(mail.subject)));

/**
 * The mails to a recipient in the outbox, sent or not. A mail is in the outbox before the response is
 * sent, but not yet in the mailbox. So the outbox can prove that there is no mail, or no second one.
 */
export const queuedMails = (db: Database, recipient: string) =>
  db.select().from(mailOutbox).where(eq(mailOutbox.recipient, recipient));

export function openMailbox(folder: string): Mailbox {
  const list = (filter: MailFilter = {}) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Mail)
      .filter((mail) => matches(mail, filter));
  return {
    list,
    waitForMail: async (filter) => {
      const about = `mail ${JSON.stringify({ ...filter, subject: String(filter.subject ?? "") })}`;
      // The first mail loads the renderer, and an invoice is drawn with low priority: a busy machine takes long.
      const isThere = { message: about, timeout: 40_000 };
      await expect.poll(() => list(filter).length, isThere).toBe(1);
      const [mail] = list(filter);
      if (!mail) throw new Error(`The ${about} has gone.`);
      return mail;
    },
  };
}
