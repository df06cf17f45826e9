import { createHash } from "node:crypto";
import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { mailOutbox } from "@/db/schema/mail";
import { secondsFromNow } from "@/db/time";
import { env } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { MailRefusal } from "@/lib/mail/refusal";
import { ALERT_AFTER_ATTEMPTS, retryDelay } from "@/lib/mail/rules";
import { mailSealer, recipientSealer } from "@/lib/mail/seal";
import { getTemplate } from "@/lib/mail/templates";
import { getTransport } from "@/lib/mail/transport";
import { withSpan } from "@/lib/runtime/span";
import { readSeller } from "@/lib/seller/queries";

/**
 * Seconds for which a claim keeps other processes from a mail. A process that takes longer has crashed, and
 * the mail is due again.
 */
const CLAIM_SECONDS = 120;

/** Maximum characters of an error stored in the outbox. */
const MAX_ERROR = 500;

type ClaimedMail = typeof mailOutbox.$inferSelect;

interface DeliveryReport {
  sent: number;
  /** Failed this time; to be retried. */
  retried: number;
  /** Given up. */
  failed: number;
}

/**
 * Sends the due mails: urgent ones first, then the longest due. Any number of processes may run it at once:
 * each mail is claimed by one of them. A crash loses no mail, and the transport recognises a mail that it
 * has already accepted.
 *
 * If the provider is down, the round ends after the first mail, so that the others do not use up attempts.
 */
export async function deliverDueMails({
  limit = Number.POSITIVE_INFINITY,
  pause,
  signal,
}: {
  /** Maximum number of mails. */
  limit?: number;
  /** Awaited before each mail. */
  pause?: () => Promise<void>;
  /** Ends the round before its next mail. */
  signal?: AbortSignal;
}): Promise<DeliveryReport> {
  const report: DeliveryReport = { sent: 0, retried: 0, failed: 0 };
  for (let count = 0; count < limit; count++) {
    await pause?.();
    if (signal?.aborted) break;
    const mail = await claimMail();
    if (!mail) break;
    const { outcome, isProviderDown } = await deliver(mail);
    report[outcome]++;
    if (isProviderDown) break;
  }
  return report;
}

async function claimMail(): Promise<ClaimedMail | undefined> {
  const firstDue = (condition?: SQL) =>
    db
      .select({ id: mailOutbox.id })
      .from(mailOutbox)
      .where(
        and(
          eq(mailOutbox.status, sql`'pending'`),
          lte(mailOutbox.nextAttemptAt, sql`now()`),
          condition,
        ),
      )
      .orderBy(asc(mailOutbox.nextAttemptAt), asc(mailOutbox.id))
      .limit(1)
      .for("update", { skipLocked: true });
  const urgent = firstDue(sql`${mailOutbox.isUrgent}`);
  const [mail] = await db
    .update(mailOutbox)
    .set({
      attempts: sql`${mailOutbox.attempts} + 1`,
      nextAttemptAt: secondsFromNow(CLAIM_SECONDS),
    })
    .where(eq(mailOutbox.id, sql`coalesce((${urgent}), (${firstDue()}))`))
    .returning();
  return mail;
}

interface Delivery {
  outcome: keyof DeliveryReport;
  isProviderDown: boolean;
}

function deliver(mail: ClaimedMail): Promise<Delivery> {
  const attributes = { "shop.mail.template": mail.template, "shop.mail.attempts": mail.attempts };
  return withSpan({ name: "mail deliver", attributes }, () => send(mail));
}

async function send(mail: ClaimedMail): Promise<Delivery> {
  let isRendered = false;
  try {
    // Imported with the first mail: react-email is large, and most serverless processes send no mail.
    const { isExpired, renderMail } = await import("@/lib/mail/render");
    if (isExpired(mail)) return await discard(mail);
    const rendered = await renderMail({
      template: mail.template,
      data: unsealData(mail.data),
      seller: await readSeller(),
    });
    const to = addressOf(mail);
    isRendered = true;
    await getTransport().send({
      ...rendered,
      key: idempotencyKeyOf(mail, to),
      createdAt: mail.createdAt,
      from: env().MAIL_FROM,
      to,
      replyTo: mail.replyTo,
    });
  } catch (error) {
    const outcome = await reschedule(mail, error);
    return { outcome, isProviderDown: isRendered && !isPermanent(error) };
  }
  if (isRecipientErased(mail)) {
    await deleteClaimed(mail);
    return { outcome: "sent", isProviderDown: false };
  }
  // Erase the data: it may contain a link that gives access to an account.
  await db
    .update(mailOutbox)
    .set({ status: "sent", sentAt: sql`now()`, data: {}, lastError: null })
    .where(eq(mailOutbox.id, mail.id));
  return { outcome: "sent", isProviderDown: false };
}

/** Deletes a mail whose link has expired: the recipient has to request another. */
async function discard(mail: ClaimedMail): Promise<Delivery> {
  const { id, template, attempts } = mail;
  log.error({ mail: id, template, attempts }, "mail dropped: what it says no longer holds");
  await deleteClaimed(mail);
  return { outcome: "failed", isProviderDown: false };
}

/** The condition that no other process has claimed the mail since. */
const isStillClaimed = ({ id, attempts }: ClaimedMail) =>
  and(eq(mailOutbox.id, id), eq(mailOutbox.attempts, attempts));

async function deleteClaimed(mail: ClaimedMail): Promise<void> {
  await db.delete(mailOutbox).where(isStillClaimed(mail));
}

/** Schedules the next attempt, or marks the mail as failed. */
async function reschedule(mail: ClaimedMail, error: unknown): Promise<"retried" | "failed"> {
  const text = error instanceof Error ? error.message : String(error);
  const retryAfter = error instanceof MailRefusal ? error.retryAfter : undefined;
  const wait = isPermanent(error) ? null : retryDelay({ attempts: mail.attempts, retryAfter });
  // The provider's error may contain the refused e-mail address, which must not be logged.
  const reason = text.replace(/\S+@\S+/g, "…");
  const about = { mail: mail.id, template: mail.template, attempts: mail.attempts, reason };
  if (wait === null) log.error(about, "mail given up");
  else {
    const level = mail.attempts > ALERT_AFTER_ATTEMPTS ? "error" : "warn";
    log[level]({ ...about, nextAttemptIn: wait }, "mail not sent, it will be tried again");
  }
  if (wait === null && isRecipientErased(mail)) {
    await deleteClaimed(mail);
    return "failed";
  }
  await db
    .update(mailOutbox)
    .set({
      lastError: (isRecipientErased(mail) ? reason : text).slice(0, MAX_ERROR),
      ...(wait === null ? { status: "failed" as const } : { nextAttemptAt: secondsFromNow(wait) }),
    })
    .where(and(isStillClaimed(mail), eq(mailOutbox.status, "pending")));
  return wait === null ? "failed" : "retried";
}

function isPermanent(error: unknown): boolean {
  return error instanceof MailRefusal && error.isPermanent;
}

const isRecipientErased = ({ template }: ClaimedMail) =>
  getTemplate(template)?.isRecipientErased === true;

const addressOf = (mail: ClaimedMail) =>
  isRecipientErased(mail) ? recipientSealer.unseal(mail.recipient) : mail.recipient;

function unsealData(data: Record<string, unknown>): unknown {
  return typeof data.sealed === "string" ? JSON.parse(mailSealer.unseal(data.sealed)) : data;
}

/**
 * The same key for every attempt of a mail, until MAIL_FROM changes: after a refusal because of the sender,
 * the same key with the new sender would count as already sent. The time distinguishes equal ids of two
 * databases that send through one account.
 */
function idempotencyKeyOf({ id, template, createdAt }: ClaimedMail, to: string): string {
  const digest = createHash("sha256")
    .update(`${id} ${template} ${createdAt.toISOString()} ${to} ${env().MAIL_FROM}`)
    .digest("hex");
  return `mail-${id}-${digest.slice(0, 16)}`;
}

/** The numbers of pending and failed mails. */
export async function countUnsentMails(): Promise<{ pending: number; failed: number }> {
  // Separate counts use the partial indexes: most mails are sent.
  const rows = await db.execute<{ pending: number; failed: number }>(sql`
    select (select count(*) from ${mailOutbox} where status = 'pending')::int as pending,
      (select count(*) from ${mailOutbox} where status = 'failed')::int as failed`);
  return rows[0] ?? { pending: 0, failed: 0 };
}
