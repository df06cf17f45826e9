import { and, eq, inArray, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "@/db";
import { deleteBatch } from "@/db/delete-batch";
import { mailOutbox } from "@/db/schema/mail";
import type { SealedColumn } from "@/db/sealed-column";
import { afterResponse } from "@/lib/http/server/after-response";
import { mailSealer, recipientSealer } from "@/lib/mail/seal";
import type { MailTemplate } from "@/lib/mail/template";
import {
  type TemplateData,
  type TemplateName,
  templates,
  templatesToErased,
} from "@/lib/mail/templates";
import { mailWorker } from "@/lib/mail/worker";

/** Retention of sent mails, for complaints. */
const KEPT_DAYS = 30;

interface NewMail<N extends TemplateName> {
  template: N;
  data: TemplateData<N>;
  /** One bare address. */
  to: string;
  /** One bare address. */
  replyTo?: string;
  /** The user; their mails are deleted with the account. */
  userId?: number;
  /** What may run twice (webhook and browser) passes the same key, and one mail is sent. */
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
      data: template.isConfidential ? { sealed: mailSealer.seal(JSON.stringify(data)) } : data,
      recipient: template.isRecipientErased ? recipientSealer.seal(to) : to,
      replyTo,
      userId,
      dedupeKey,
      isUrgent: template.lifetime !== undefined,
    })
    .onConflictDoNothing({ target: mailOutbox.dedupeKey });
  afterResponse(mailWorker.trigger);
}

/**
 * Deletes mails of one kind that were sent, or failed long ago, and belong to no account: no personal
 * data of somebody without an account is kept.
 */
export async function deleteSentMails(
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
 * Deletes mails that were sent long ago. What passes a dedupe key does not run again after that time:
 * an order is created once, and a payment settled once. Failed ones stay, to be retried.
 */
export async function deleteOldMails(): Promise<void> {
  // The status is a literal, for the partial index.
  await deleteBatch(
    mailOutbox,
    sql`${mailOutbox.status} = 'sent'
      and ${mailOutbox.sentAt} < now() - make_interval(days => ${KEPT_DAYS})`,
  );
}

/** The data of mails that are still to be sent. */
export const sealedMails: SealedColumn = {
  name: "mails",
  table: mailOutbox,
  id: mailOutbox.id,
  sealed: sql`${mailOutbox.data}->>'sealed'`,
  where: ne(mailOutbox.status, "sent"),
  reseal: ({ sealed }) => mailSealer.reseal(sealed),
  set: (sealed) => ({ data: { sealed } }),
};

/** The addresses of people who have been erased, in mails that are still to be sent. */
export const sealedMailRecipients: SealedColumn = {
  name: "recipients of mails",
  table: mailOutbox,
  id: mailOutbox.id,
  sealed: mailOutbox.recipient,
  where: inArray(mailOutbox.template, templatesToErased),
  reseal: ({ sealed }) => recipientSealer.reseal(sealed),
  set: (recipient) => ({ recipient }),
};
