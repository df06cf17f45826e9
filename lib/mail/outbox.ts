import { and, inArray, isNull, ne, type SQLWrapper, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "@/db";
import { deleteInBatches } from "@/db/delete-in-batches";
import { mailOutbox } from "@/db/schema/mail";
import type { SealedColumn } from "@/db/sealed-column";
import { afterResponse } from "@/lib/http/after-response";
import { mailSealer, recipientSealer } from "@/lib/mail/seal";
import type { MailTemplate } from "@/lib/mail/template";
import {
  type TemplateData,
  type TemplateName,
  templates,
  templatesToErased,
} from "@/lib/mail/templates";
import { mailWorker } from "@/lib/mail/worker";

/** Retention of sent mails, for complaints, in days. */
const KEPT_DAYS = 30;

interface NewMail<N extends TemplateName> {
  template: N;
  data: TemplateData<N>;
  /** One bare address. */
  to: string;
  /** One bare address. */
  replyTo?: string;
  /** The user that the mail is about; the mail is deleted with the account. */
  userId?: number;
  /** At most one mail is sent per key, for code that may run twice (webhook and browser). */
  dedupeKey?: string;
}

/**
 * Puts a mail into the outbox, in the transaction that causes it: a rolled back transaction sends no mail.
 * It is delivered after the response to the current request, or by the worker or the scheduler.
 *
 * @throws if the data does not match the template's schema
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

/** Mails of these templates are deleted once sent, unless they belong to an account. */
const DELETED_ONCE_SENT: TemplateName[] = [
  "payment-refunded",
  "stock-alert",
  "stock-alert-confirmation",
];

/**
 * Deletes mails that were sent long ago, with their dedupe keys: code with a dedupe key does not run again
 * that late, since an order is created once and a payment settled once. Failed mails of accounts stay, to
 * be retried. Those to people without an account are deleted: their data is not kept.
 */
export async function deleteOldMails(): Promise<void> {
  const isOld = (date: SQLWrapper) => sql`${date} < now() - make_interval(days => ${KEPT_DAYS})`;
  // Literal states, not parameters, for the partial indexes.
  const isSent = sql`${mailOutbox.status} = 'sent'`;
  const isFailed = sql`${mailOutbox.status} = 'failed'`;
  const isNobodys = isNull(mailOutbox.userId);
  const isDeletedOnceSent = inArray(mailOutbox.template, DELETED_ONCE_SENT);
  await deleteInBatches(mailOutbox, and(isSent, isOld(mailOutbox.sentAt)));
  await deleteInBatches(mailOutbox, and(isSent, isNobodys, isDeletedOnceSent));
  await deleteInBatches(mailOutbox, and(isFailed, isNobodys, isOld(mailOutbox.createdAt)));
}

/** The encrypted data of unsent mails. */
export const sealedMails: SealedColumn = {
  name: "mails",
  table: mailOutbox,
  id: mailOutbox.id,
  sealed: sql`${mailOutbox.data}->>'sealed'`,
  where: ne(mailOutbox.status, "sent"),
  reseal: ({ sealed }) => mailSealer.reseal(sealed),
  set: (sealed) => ({ data: { sealed } }),
};

/** The encrypted addresses of people whose accounts were erased, in unsent mails. */
export const sealedMailRecipients: SealedColumn = {
  name: "recipients of mails",
  table: mailOutbox,
  id: mailOutbox.id,
  sealed: mailOutbox.recipient,
  where: inArray(mailOutbox.template, templatesToErased),
  reseal: ({ sealed }) => recipientSealer.reseal(sealed),
  set: (recipient) => ({ recipient }),
};
