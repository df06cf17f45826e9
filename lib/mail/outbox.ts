import { and, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { z } from "zod";
import { db, type Transaction } from "@/db";
import { mailOutbox } from "@/db/schema/mail";
import { deliverAfterAnswer } from "@/lib/mail/after-answer";
import { seal } from "@/lib/mail/seal";
import type { MailTemplate } from "@/lib/mail/template";
import { type TemplateData, type TemplateName, templates } from "@/lib/mail/templates";

/** How long the outbox remembers to whom a mail was sent, for those who look into a complaint. */
const KEPT_DAYS = 30;

/** Mails that are forgotten at once: the first round after years must end in time, too. */
const FORGOTTEN_AT_ONCE = 1_000;

export interface NewMail<N extends TemplateName> {
  template: N;
  data: TemplateData<N>;
  /** One bare address. */
  to: string;
  /** One bare address. */
  replyTo?: string;
  /** Whom the mail is about; it goes with the account. */
  userId?: number;
  /** Acts that may run twice (a webhook and a browser) give the same key: one mail comes of them. */
  dedupeKey?: string;
}

/**
 * Puts a mail into the outbox, as part of the transaction that is its reason: committed with it, or
 * never sent. It is delivered once the answer to the current request has gone out, else by the
 * worker or the scheduler.
 *
 * @throws when the data is not what the template wants
 */
export async function enqueueMail<N extends TemplateName>(
  tx: Pick<Transaction, "insert">,
  { template: name, data, to, replyTo, userId, dedupeKey }: NewMail<N>,
): Promise<void> {
  const template = templates[name] as unknown as MailTemplate<z.ZodType>;
  template.data.parse(data);
  await tx
    .insert(mailOutbox)
    .values({
      template: name,
      data: template.isConfidential ? { sealed: seal(data) } : data,
      recipient: to,
      replyTo,
      userId,
      dedupeKey,
    })
    .onConflictDoNothing({ target: mailOutbox.dedupeKey });
  deliverAfterAnswer();
}

/**
 * Forgets mails of one kind that were sent, or given up long ago, and belong to no account: what was
 * written to somebody whose account is gone must not be what is left of them.
 */
export async function forgetSentMails(
  tx: Pick<Transaction, "delete">,
  { template }: { template: TemplateName },
): Promise<void> {
  await tx
    .delete(mailOutbox)
    .where(
      and(
        eq(mailOutbox.template, template),
        isNull(mailOutbox.userId),
        or(
          eq(mailOutbox.status, "sent"),
          and(
            eq(mailOutbox.status, "failed"),
            lt(mailOutbox.createdAt, sql`now() - make_interval(days => ${KEPT_DAYS})`),
          ),
        ),
      ),
    );
}

/**
 * Forgets mails that were sent long ago. No act that writes a key comes back after that time: an order
 * is made once, and a payment settled once. Those that were given up stay, to be taken up again.
 */
export async function forgetOldMails(): Promise<void> {
  // The status stands in the text, for the index of those that were sent.
  const old = db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(
      and(
        eq(mailOutbox.status, sql`'sent'`),
        lt(mailOutbox.sentAt, sql`now() - make_interval(days => ${KEPT_DAYS})`),
      ),
    )
    .limit(FORGOTTEN_AT_ONCE)
    .for("update", { skipLocked: true });
  await db.delete(mailOutbox).where(inArray(mailOutbox.id, old));
}
