import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";

/** A mail as the shop writes it where no provider is configured. */
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

export interface MailFilter {
  to?: string;
  subject?: string | RegExp;
}

export interface Mailbox {
  /** The mails that were sent so far, oldest first. */
  list(filter?: MailFilter): Mail[];
  /** The mail that matches, once it is there: mails leave after the answer. Fails if there are two. */
  waitForMail(filter: MailFilter): Promise<Mail>;
}

const matches = (mail: Mail, { to, subject }: MailFilter) =>
  (to === undefined || mail.to === to) &&
  (subject === undefined ||
    (typeof subject === "string" ? mail.subject === subject : subject.test(mail.subject)));

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
      await expect.poll(() => list(filter).length, { message: about }).toBe(1);
      const [mail] = list(filter);
      if (!mail) throw new Error(`The ${about} has gone.`);
      return mail;
    },
  };
}
