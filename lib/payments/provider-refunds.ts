import { z } from "zod";
import { siteUrl } from "@/lib/env";
import { callProvider, stripe, unexpectedAnswer } from "./stripe-client";

/** A refund at the provider, or a dispute, by which the bank takes a payment back. */
export interface ProviderRefund {
  id: string;
  kind: "refund" | "dispute";
  paymentIntentId: string;
  amountCents: number;
  currency: string;
  state: "pending" | "succeeded" | "failed";
  /** The provider's code for the cause of a failure. */
  failureCode: string | null;
  /** The id of the shop's refund row; null where the shop did not begin the refund. */
  refundId: number | null;
  createdAt: Date;
}

const common = {
  id: z.string().min(1),
  amount: z.int().min(1),
  currency: z.string(),
  created: z.int(),
  status: z.string().nullable(),
  payment_intent: z.string().min(1),
};

const refundSchema = z.object({
  ...common,
  metadata: z.record(z.string(), z.string()).nullish(),
  failure_reason: z.string().nullish(),
});
const disputeSchema = z.object(common);

/**
 * Asks the provider to refund a part of a payment. Idempotent: calls with the same key are one refund.
 *
 * @throws 503 where the provider is unavailable; `ProviderRefusal` where it answers with a failure
 */
export async function sendRefund({
  refundId,
  paymentIntentId,
  amountCents,
  key,
}: {
  refundId: number;
  paymentIntentId: string;
  amountCents: number;
  key: string;
}): Promise<ProviderRefund> {
  return callProvider(async () => {
    const answer = await stripe().refunds.create(
      {
        payment_intent: paymentIntentId,
        amount: amountCents,
        metadata: { refund: String(refundId), shop: siteUrl() },
      },
      { idempotencyKey: key },
    );
    const refund = refundOf(answer);
    if (refund?.paymentIntentId !== paymentIntentId || refund.amountCents !== amountCents)
      throw unexpectedAnswer(answer);
    return refund;
  });
}

/** All refunds and disputes of a payment, or since a time. @throws 503 where the provider is unavailable */
export async function listProviderRefunds(
  wanted: { paymentIntentId: string } | { since: Date },
): Promise<ProviderRefund[]> {
  const query = {
    limit: 100,
    ...("since" in wanted
      ? { created: { gte: Math.floor(wanted.since.getTime() / 1000) } }
      : { payment_intent: wanted.paymentIntentId }),
  };
  return callProvider(async () => {
    const found: ProviderRefund[] = [];
    for await (const answer of stripe().refunds.list(query)) found.push(...known(refundOf(answer)));
    for await (const answer of stripe().disputes.list(query))
      found.push(...known(disputeOf(answer)));
    return found;
  });
}

const known = (refund: ProviderRefund | null) => (refund ? [refund] : []);

/** @returns null for a refund without a payment intent: its payment is not the shop's */
function refundOf(answer: unknown): ProviderRefund | null {
  const read = refundSchema.safeParse(answer);
  if (!read.success) return null;
  const { metadata, failure_reason: failureCode = null, ...rest } = read.data;
  const isOurs = metadata?.shop === siteUrl();
  const id = Number(metadata?.refund);
  return {
    ...commonFields(rest),
    kind: "refund",
    state: REFUND_STATES[rest.status ?? ""] ?? "pending",
    failureCode,
    refundId: isOurs && Number.isInteger(id) && id > 0 ? id : null,
  };
}

/**
 * @returns null for a dispute without a payment intent, and for a bank's inquiry, which takes no money back
 */
function disputeOf(answer: unknown): ProviderRefund | null {
  const read = disputeSchema.safeParse(answer);
  if (!read.success || read.data.status?.startsWith("warning_")) return null;
  return {
    ...commonFields(read.data),
    kind: "dispute",
    state: DISPUTE_STATES[read.data.status ?? ""] ?? "pending",
    failureCode: null,
    refundId: null,
  };
}

const commonFields = ({
  id,
  amount,
  currency,
  created,
  payment_intent,
}: z.output<z.ZodObject<typeof common>>) => ({
  id,
  paymentIntentId: payment_intent,
  amountCents: amount,
  currency,
  createdAt: new Date(created * 1000),
});

/** `pending` and `requires_action` are left out: they are neither. */
const REFUND_STATES: Record<string, ProviderRefund["state"]> = {
  succeeded: "succeeded",
  failed: "failed",
  canceled: "failed",
};

/**
 * An open dispute is pending, though the money has already left the shop. If the shop wins, the money
 * returns.
 */
const DISPUTE_STATES: Record<string, ProviderRefund["state"]> = {
  lost: "succeeded",
  won: "failed",
  prevented: "failed",
};
