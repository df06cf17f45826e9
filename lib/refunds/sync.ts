import { and, eq, isNull, or, sql } from "drizzle-orm";
import { db } from "@/db";
import { paymentClosures } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { orders } from "@/db/schema/orders";
import { refunds } from "@/db/schema/refunds";
import { log } from "@/lib/http/server/log";
import { isOfPayment } from "@/lib/invoices/versions";
import { listProviderRefunds, type ProviderRefund } from "@/lib/payments/provider-refunds";
import { perProcess } from "@/lib/runtime/per-process";
import { outcomeOf, settleRefund } from "./settle";
import { BY_BANK, BY_PROVIDER } from "./texts";

/** Milliseconds between two checks of a process. Events report refunds at once: checks find lost events. */
const INTERVAL = 60 * 60_000;
/** Milliseconds that a check looks back: longer than the provider repeats an event. */
const WINDOW = 7 * 24 * 60 * 60_000;

const state = perProcess("recent-refunds", () => ({ nextAt: 0 }));

/**
 * Looks for refunds and disputes that began at the provider, once an hour. Never throws: the next check
 * finds them, too.
 *
 * @param isEager checks now, whatever the time of the last check
 */
export async function syncRecentRefunds({ isEager }: { isEager: boolean }): Promise<void> {
  if (!isEager && Date.now() < state.nextAt) return;
  state.nextAt = Date.now() + INTERVAL;
  try {
    await syncRefunds({ since: new Date(Date.now() - WINDOW) });
  } catch (error) {
    log.warn({ err: error }, "refunds at the provider not compared yet");
  }
}

/**
 * Updates the shop's refunds from the provider's refunds and disputes, of one payment or of all since a time.
 * A refund begun at the provider gets a row; a refund begun by the shop already has one. A payment that never
 * became an order gets no row: lib/checkout/reversals.ts. May run at any time, and concurrently.
 *
 * @throws 503 where the provider is unavailable
 */
export async function syncRefunds(
  wanted: { paymentIntentId: string } | { since: Date },
): Promise<void> {
  const all = await listProviderRefunds(wanted);
  for (const found of all) {
    if (found.currency !== "eur") continue;
    const present = await findRow(found);
    // The refund failed before the shop had a row for it: nothing has happened.
    if (!present && found.state === "failed") {
      if (!all.some((other) => replaces(other, found))) await reportFailedReversal(found);
      continue;
    }
    const row = present ?? (await recordFound(found));
    if (!row) continue;
    if (row.status !== found.state || row.providerId !== found.id)
      await settleRefund({ id: row.id, outcome: outcomeOf(found) });
  }
}

const replaces = (other: ProviderRefund, { paymentIntentId, createdAt }: ProviderRefund) =>
  other.paymentIntentId === paymentIntentId &&
  other.state !== "failed" &&
  other.createdAt >= createdAt;

/** Logs a refund of a payment without an order that the bank has refused later: nothing else reports it. */
async function reportFailedReversal({ kind, paymentIntentId, amountCents }: ProviderRefund) {
  if (kind === "dispute") return;
  const [reversal] = await db
    .select({ outcome: paymentClosures.outcome })
    .from(paymentClosures)
    .where(eq(paymentClosures.paymentIntentId, paymentIntentId));
  if (reversal?.outcome === "refunded")
    log.error(
      { payment: paymentIntentId, amountCents },
      "the refund of a payment without an order has failed: it has to be made again",
    );
}

type KnownRefund = Pick<typeof refunds.$inferSelect, "id" | "status" | "providerId">;

const knownColumns = { id: refunds.id, status: refunds.status, providerId: refunds.providerId };

/** The row of a refund: found by its id at the provider, else by the shop's refund id in its metadata. */
async function findRow(found: ProviderRefund): Promise<KnownRefund | undefined> {
  const isOwn =
    found.refundId === null
      ? undefined
      : and(
          eq(refunds.id, found.refundId),
          eq(refunds.paymentIntentId, found.paymentIntentId),
          eq(refunds.amountCents, found.amountCents),
          isNull(refunds.providerId),
        );
  const [row] = await db
    .select(knownColumns)
    .from(refunds)
    .where(or(eq(refunds.providerId, found.id), isOwn))
    .orderBy(sql`${refunds.providerId} = ${found.id} desc nulls last`)
    .limit(1);
  return row;
}

/** @returns undefined where the payment belongs to no order of this shop */
async function recordFound(found: ProviderRefund): Promise<KnownRefund | undefined> {
  const { id: providerId, kind, paymentIntentId, amountCents, createdAt } = found;
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.paymentIntentId, paymentIntentId));
  // Search invoices too: the order may have been deleted.
  if (!order && (await db.$count(invoices, isOfPayment(paymentIntentId))) === 0) return undefined;
  const [written] = await db
    .insert(refunds)
    .values({
      orderId: order?.id ?? null,
      paymentIntentId,
      origin: kind === "dispute" ? "dispute" : "provider",
      amountCents,
      reason: kind === "dispute" ? BY_BANK : BY_PROVIDER,
      providerId,
      createdAt,
    })
    .onConflictDoNothing({ target: refunds.providerId })
    .returning(knownColumns);
  return written ?? findRow(found);
}
