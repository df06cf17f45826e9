import { createHash } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "@/db";
import { refunds } from "@/db/schema/refunds";
import { secondsFromNow } from "@/db/time";
import { isFailure } from "@/lib/errors/failure";
import { log } from "@/lib/http/server/log";
import { type BatchOptions, claimEnd, processDueRows } from "@/lib/payments/due-rows";
import {
  listProviderRefunds,
  type ProviderRefund,
  sendRefund,
} from "@/lib/payments/provider-refunds";
import { failureLevel, retryDelay } from "@/lib/payments/rules";
import { ProviderRefusal } from "@/lib/payments/stripe-client";
import { providerKey } from "./rules";
import { type Outcome, outcomeOf, type RefundRow, settleRefund } from "./settle";
import { PAYMENT_DISPUTED, PAYMENT_UNKNOWN, refusedByProvider } from "./texts";

/** Attempts after which the provider's answer that the payment is unknown is believed. */
const MAX_UNKNOWN = 5;

/**
 * Sends due refunds, and asks the provider about refunds that the bank has not decided.
 *
 * @returns the number of handled refunds per state; pending refunds are tried again later
 */
export async function sendDueRefunds(options: BatchOptions) {
  const report = { succeeded: 0, failed: 0, pending: 0 };
  await processDueRows(options, {
    table: refunds,
    id: refunds.id,
    dueAt: refunds.nextAttemptAt,
    // A literal, not a parameter: the index covers pending refunds only.
    isPending: eq(refunds.status, sql`'pending'`),
    claim: (isNext) =>
      db
        .update(refunds)
        .set({ attempts: sql`${refunds.attempts} + 1`, nextAttemptAt: claimEnd })
        .where(isNext)
        .returning(),
    idOf: ({ id }) => id,
    work: async (refund) => {
      report[(await attemptRefund(refund)).status]++;
    },
  });
  return report;
}

/** Concurrent calls in one process share an attempt. */
const attempting = new Map<number, Promise<RefundRow>>();

/**
 * Asks the provider to carry out a refund, or for its state, and records the answer. May be repeated, and run
 * concurrently. Where the provider is unavailable, the refund stays pending.
 *
 * @returns the refund after the attempt
 */
export function attemptRefund(refund: RefundRow): Promise<RefundRow> {
  const running = attempting.get(refund.id);
  if (running) return running;
  const attempt = tryRefund(refund).finally(() => attempting.delete(refund.id));
  attempting.set(refund.id, attempt);
  return attempt;
}

async function tryRefund(refund: RefundRow): Promise<RefundRow> {
  const { id, attempts } = refund;
  try {
    const outcome = await askProvider(refund);
    if (outcome) return await settleRefund({ id, outcome });
  } catch (error) {
    if (!isFailure(error) && (await requireRefund(id)).status !== "pending") throw error;
    log[failureLevel(attempts)]({ err: error, refund: id, attempts }, "refund not sent yet");
  }
  const [postponed] = await db
    .update(refunds)
    .set({ nextAttemptAt: secondsFromNow(retryDelay(attempts)) })
    // Skipped if another process has claimed the refund since.
    .where(and(eq(refunds.id, id), eq(refunds.status, "pending"), eq(refunds.attempts, attempts)))
    .returning();
  return postponed ?? (await requireRefund(id));
}

async function requireRefund(id: number): Promise<RefundRow> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id));
  if (!refund) throw new Error(`Refund ${id} does not exist.`);
  return refund;
}

/**
 * @returns null where nothing is decided yet
 * @throws where the provider is unavailable
 */
async function askProvider(refund: RefundRow): Promise<Outcome | null> {
  const { id, paymentIntentId, amountCents, attempts } = refund;
  const isBegunHere = refund.origin === "staff" && refund.providerId === null;
  if (!isBegunHere || attempts > 1) {
    // Look for the refund first: the answer to an earlier attempt may be lost, and the provider forgets keys
    // after a day.
    const found = (await listProviderRefunds({ paymentIntentId })).find(isSameRefund(refund));
    if (found) return outcomeOf(found);
    if (!isBegunHere) return null;
  }
  try {
    const key = providerKey({ id, paymentIntentId, refused: refund.failure });
    return outcomeOf(await sendRefund({ refundId: id, paymentIntentId, amountCents, key }));
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    return judge(refund, error);
  }
}

const isSameRefund =
  ({ id, providerId, amountCents }: RefundRow) =>
  (found: ProviderRefund) =>
    found.id === providerId ||
    (providerId === null && found.refundId === id && found.amountCents === amountCents);

/** The outcome of a failure reported by the provider; null where the refund is tried again. */
async function judge(refund: RefundRow, { answer }: ProviderRefusal): Promise<Outcome | null> {
  const { id, attempts } = refund;
  const fail = (failure: string): Outcome => ({ state: "failed", providerId: null, failure });
  if (answer.code === "charge_disputed") return fail(PAYMENT_DISPUTED);
  // A single "unknown payment" may be the provider's error; a repeated one is not.
  if (answer.status === 404 || answer.code === "resource_missing")
    return attempts >= MAX_UNKNOWN ? fail(PAYMENT_UNKNOWN) : null;
  if (answer.status === 400 || answer.status === 402)
    return fail(refusedByProvider(answer.message));
  // The next attempt needs another key; the digest of the request id makes the key unique to this answer.
  if (answer.isRepeated) {
    const refused = createHash("sha256").update(answer.requestId).digest("base64url").slice(0, 16);
    await db
      .update(refunds)
      .set({ failure: refused })
      .where(
        and(
          eq(refunds.id, id),
          eq(refunds.status, "pending"),
          refund.failure === null ? isNull(refunds.failure) : eq(refunds.failure, refund.failure),
        ),
      );
  }
  return null;
}
