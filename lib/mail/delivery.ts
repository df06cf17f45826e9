import { createHash } from "node:crypto";
import { and, asc, count, eq, lte, sql } from "drizzle-orm";
import { db, plannedDb } from "@/db";
import { mailOutbox } from "@/db/schema/mail";
import { env } from "@/lib/env";
import { log } from "@/lib/http/log";
import { MailRefusal } from "@/lib/mail/refusal";
import { nextWait } from "@/lib/mail/rules";
import { unseal } from "@/lib/mail/seal";
import { getTransport } from "@/lib/mail/transport";
import { step } from "@/lib/telemetry/span";

/**
 * Seconds that a claimed mail is kept from other deliverers. Whoever has not finished by then has
 * crashed, and the mail is due again.
 */
const CLAIM = 120;

/** Characters of an error that are kept in the outbox. */
const MAX_ERROR = 500;

type ClaimedMail = typeof mailOutbox.$inferSelect;

export interface DeliveryReport {
  sent: number;
  /** Tried without success; they will be tried again. */
  retried: number;
  /** Given up. */
  failed: number;
}

/**
 * Sends the mails whose time has come, the longest due first, at most `limit`. Any number of
 * processes may do so at once: each mail is claimed by one of them. A crash loses no mail; the
 * transport recognises one that it has accepted already.
 *
 * A provider that does not take mails at all ends the round after the first one, so that the
 * others keep their attempts for when it is back.
 */
export async function deliverDueMails({
  limit,
  pause,
  signal,
}: {
  limit: number;
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
  // The status stands in the text, so that a plan for all values knows the index of those that are due.
  const due = db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.status, sql`'pending'`), lte(mailOutbox.nextAttemptAt, sql`now()`)))
    .orderBy(asc(mailOutbox.nextAttemptAt), asc(mailOutbox.id))
    .limit(1)
    .for("update", { skipLocked: true });
  const [mail] = await plannedDb
    .update(mailOutbox)
    .set({
      attempts: sql`${mailOutbox.attempts} + 1`,
      nextAttemptAt: sql`now() + make_interval(secs => ${CLAIM})`,
    })
    .where(eq(mailOutbox.id, sql`(${due})`))
    .returning();
  return mail;
}

interface Delivery {
  outcome: keyof DeliveryReport;
  isProviderDown: boolean;
}

function deliver(mail: ClaimedMail): Promise<Delivery> {
  const attributes = { "shop.mail.template": mail.template, "shop.mail.attempts": mail.attempts };
  return step({ name: "mail deliver", attributes }, () => send(mail));
}

async function send(mail: ClaimedMail): Promise<Delivery> {
  let isRendered = false;
  try {
    // Loaded with the first mail: react-email is large, and most processes of a host send none.
    const { isOutlived, renderMail } = await import("@/lib/mail/render");
    if (isOutlived(mail)) return await drop(mail);
    const rendered = await renderMail({ template: mail.template, data: openData(mail.data) });
    isRendered = true;
    await getTransport().send({
      ...rendered,
      key: keyOf(mail),
      createdAt: mail.createdAt,
      from: env().MAIL_FROM,
      to: mail.recipient,
      replyTo: mail.replyTo,
    });
  } catch (error) {
    const outcome = await postpone(mail, error);
    return { outcome, isProviderDown: isRendered && !isPermanent(error) };
  }
  // What it said is nobody's business any more: it may have held a link that opens an account.
  await plannedDb
    .update(mailOutbox)
    .set({ status: "sent", sentAt: sql`now()`, data: {}, lastError: null })
    .where(eq(mailOutbox.id, mail.id));
  return { outcome: "sent", isProviderDown: false };
}

/** Whoever asked for it has to ask again: nobody is told of a link that opens nothing. */
async function drop({ id, template, attempts }: ClaimedMail): Promise<Delivery> {
  log.error({ mail: id, template, attempts }, "mail dropped: what it says no longer holds");
  await db.delete(mailOutbox).where(and(eq(mailOutbox.id, id), eq(mailOutbox.attempts, attempts)));
  return { outcome: "failed", isProviderDown: false };
}

/** Schedules the next attempt, or gives the mail up. */
async function postpone(mail: ClaimedMail, error: unknown): Promise<"retried" | "failed"> {
  const text = error instanceof Error ? error.message : String(error);
  const retryAfter = error instanceof MailRefusal ? error.retryAfter : undefined;
  const wait = isPermanent(error) ? null : nextWait({ attempts: mail.attempts, retryAfter });
  // Providers repeat the address that they refuse; whose it is stands in the outbox.
  const reason = text.replace(/\S+@\S+/g, "…");
  const about = { mail: mail.id, template: mail.template, attempts: mail.attempts, reason };
  if (wait === null) log.error(about, "mail given up");
  else log.warn({ ...about, nextAttemptIn: wait }, "mail not sent, it will be tried again");
  await db
    .update(mailOutbox)
    .set({
      lastError: text.slice(0, MAX_ERROR),
      ...(wait === null
        ? { status: "failed" as const }
        : { nextAttemptAt: sql`now() + make_interval(secs => ${wait})` }),
    })
    // Whoever was so slow that another has taken the mail over decides nothing any more.
    .where(
      and(
        eq(mailOutbox.id, mail.id),
        eq(mailOutbox.status, "pending"),
        eq(mailOutbox.attempts, mail.attempts),
      ),
    );
  return wait === null ? "failed" : "retried";
}

function isPermanent(error: unknown): boolean {
  return error instanceof MailRefusal && error.isPermanent;
}

function openData(data: Record<string, unknown>): unknown {
  return typeof data.sealed === "string" ? unseal(data.sealed) : data;
}

/**
 * The same for every attempt of this mail. The time tells apart the rows of two databases that send
 * through one account, where numbers repeat.
 */
function keyOf({ id, template, createdAt, recipient }: ClaimedMail): string {
  const digest = createHash("sha256")
    .update(`${id} ${template} ${createdAt.toISOString()} ${recipient}`)
    .digest("hex");
  return `mail-${id}-${digest.slice(0, 16)}`;
}

/** Gives every mail that was given up a fresh start, after its cause was put right. */
export async function retryFailedMails(): Promise<number> {
  const { rowCount } = await db
    .update(mailOutbox)
    .set({ status: "pending", attempts: 0, nextAttemptAt: sql`now()` })
    .where(eq(mailOutbox.status, "failed"));
  return rowCount ?? 0;
}

/** How many mails wait, and how many were given up. */
export async function countUnsentMails(): Promise<{ pending: number; failed: number }> {
  const rows = await db
    .select({ status: mailOutbox.status, mails: count() })
    .from(mailOutbox)
    .where(sql`${mailOutbox.status} <> 'sent'`)
    .groupBy(mailOutbox.status);
  const of = (status: string) => rows.find((row) => row.status === status)?.mails ?? 0;
  return { pending: of("pending"), failed: of("failed") };
}
