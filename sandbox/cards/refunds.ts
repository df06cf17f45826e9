import { z } from "zod";
import { formatAmount } from "@/sandbox/cards/amounts";
import { ApiError, resourceMissing } from "@/sandbox/cards/api-error";
import { demoPayment, latestCharge } from "@/sandbox/cards/charges";
import { recordEvent } from "@/sandbox/cards/events";
import { listPage } from "@/sandbox/cards/list-page";
import type { ApiCall } from "@/sandbox/cards/params";
import {
  newId,
  nowInSeconds,
  type StoredCharge,
  type StoredDispute,
  type StoredPaymentIntent,
  type StoredRefund,
} from "@/sandbox/cards/records";
import type { Store } from "@/sandbox/cards/store";
import { PENDING_REFUND_CARD } from "@/sandbox/cards/test-cards";

function refuse(message: string, details: { code?: string; param?: string } = {}): never {
  throw new ApiError({ message, ...details, isExecuted: true });
}

/** Disputes of a charge that are open or lost: the buyer's bank holds, or has taken, the money. */
const standingDisputes = (store: Store, charge: StoredCharge) =>
  store.list("disputes").filter(({ charge: id, status }) => id === charge.id && status !== "won");

/** The paid charge of a payment, and `left`, the cents that can be refunded; undefined if unpaid. */
function paidCharge(store: Store, intent: StoredPaymentIntent) {
  const charge = latestCharge(store, intent);
  if (!charge?.paid) return undefined;
  const disputes = standingDisputes(store, charge);
  const disputed = disputes.reduce((sum, { amount }) => sum + amount, 0);
  return { charge, disputes, left: charge.amount - charge.amount_refunded - disputed };
}

/** The payment intent of a charge; undefined without a charge. @throws ApiError (400) for an unknown charge */
function paidBy(store: Store, charge: string | undefined): string | undefined {
  if (charge === undefined) return undefined;
  const known = store.get("charges", charge);
  if (!known) throw resourceMissing(charge, "charge", 400);
  return known.payment_intent;
}

export function createRefund({ params, store }: ApiCall): StoredRefund {
  const metadata = params.group("metadata");
  const id = paidBy(store, params.text("charge")) ?? params.requiredText("payment_intent");
  const wanted = params.integer("amount");
  const intent = store.get("paymentIntents", id) ?? demoPayment(store, id);
  if (!intent) throw resourceMissing(id, "payment_intent", 400);
  const { charge, disputes, left } =
    paidCharge(store, intent) ?? refuse(`${id} n'a pas de paiement réussi à rembourser.`);
  if (left <= 0 && disputes.length > 0)
    refuse(`La banque du client conteste le paiement ${charge.id}.`, { code: "charge_disputed" });
  if (left <= 0)
    refuse(`Le paiement ${charge.id} a déjà été remboursé.`, { code: "charge_already_refunded" });
  const amount = wanted ?? left;
  if (amount < 1) refuse("Le montant doit être un entier positif.", { param: "amount" });
  if (amount > left)
    refuse(
      `Le remboursement (${formatAmount(amount)}) dépasse ce qui n'est pas encore remboursé (${formatAmount(left)}).`,
      { param: "amount" },
    );

  const { last4 } = charge.payment_method_details.card;
  const refund = store.put("refunds", {
    id: newId("re"),
    object: "refund",
    amount,
    charge: charge.id,
    created: nowInSeconds(),
    currency: charge.currency,
    metadata,
    payment_intent: id,
    status: last4 === PENDING_REFUND_CARD.slice(-4) ? "pending" : "succeeded",
  });
  const refunded = { ...charge, amount_refunded: charge.amount_refunded + amount };
  recordEvent(store, "refund.created", refund);
  recordEvent(store, "charge.refunded", refunded);
  return refund;
}

/** Filters a list by the parameters `payment_intent` and `charge`, if given. */
function ofPayment<Item extends { payment_intent: string; charge: string }>(
  { params }: ApiCall,
  all: Item[],
) {
  const intent = params.text("payment_intent");
  const charge = params.text("charge");
  return all.filter(
    (each) =>
      each.payment_intent === (intent || each.payment_intent) &&
      each.charge === (charge || each.charge),
  );
}

export const listRefunds = (call: ApiCall) =>
  listPage(call, { what: "refund", all: ofPayment(call, call.store.list("refunds")) });

export const listDisputes = (call: ApiCall) =>
  listPage(call, { what: "dispute", all: ofPayment(call, call.store.list("disputes")) });

export const refundDecision = z.strictObject({
  refund: z.string(),
  status: z.enum(["succeeded", "failed"]),
});

/** Applies the bank's decision about a refund, even one that had succeeded. */
export function settleRefund(
  store: Store,
  { refund: id, status }: z.output<typeof refundDecision>,
): StoredRefund {
  const before = store.get("refunds", id);
  if (!before || before.status === "failed") throw resourceMissing(id, "refund");
  const isFailed = status === "failed";
  const refund = store.put("refunds", {
    ...before,
    status,
    ...(isFailed && { failure_reason: "expired_or_canceled_card" }),
  });
  recordEvent(store, "refund.updated", refund);
  if (isFailed) recordEvent(store, "refund.failed", refund);
  return refund;
}

export const disputeDecision = z.strictObject({
  payment_intent: z.string(),
  status: z.enum(["needs_response", "won", "lost"]),
});

/**
 * Opens a dispute about the rest of a payment, as the buyer's bank does, or decides it; null if nothing is
 * left to dispute.
 */
export function dispute(
  store: Store,
  { payment_intent, status }: z.output<typeof disputeDecision>,
): StoredDispute | null {
  const intent = store.get("paymentIntents", payment_intent);
  const paid = intent && paidCharge(store, intent);
  if (!paid) throw resourceMissing(payment_intent, "payment_intent");
  const { charge, disputes, left } = paid;
  const open = disputes.find((each) => each.status === "needs_response");
  if (!open && left <= 0) return null;
  const present: StoredDispute = open ?? {
    id: newId("dp"),
    object: "dispute",
    amount: left,
    charge: charge.id,
    created: nowInSeconds(),
    currency: charge.currency,
    payment_intent,
    reason: "fraudulent",
    status: "needs_response",
  };
  const saved = store.put("disputes", { ...present, status });
  if (!open) recordEvent(store, "charge.dispute.created", present);
  if (status !== "needs_response") recordEvent(store, "charge.dispute.closed", saved);
  return saved;
}
