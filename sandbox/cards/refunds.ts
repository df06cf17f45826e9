import { formatAmount } from "@/sandbox/cards/amounts";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { ApiError, resourceMissing } from "@/sandbox/cards/api-error";
import { demoPayment } from "@/sandbox/cards/demo-payment";
import { recordEvent } from "@/sandbox/cards/events";
import { newId } from "@/sandbox/cards/ids";
import { listPage } from "@/sandbox/cards/list-page";
import type { StoredCharge, StoredDispute, StoredRefund } from "@/sandbox/cards/records";
import type { Transaction } from "@/sandbox/cards/store";
import { PENDING_REFUND_CARD } from "@/sandbox/cards/test-cards";

function refuse(details: { message: string; code?: string; param?: string }): never {
  throw new ApiError({ status: 400, type: "invalid_request_error", ...details, isOutcome: true });
}

/** The paid charge of the payment intent. */
function chargeToRefund({ tx, params }: ApiCall): StoredCharge {
  const id = params.requiredText("payment_intent");
  const intent = tx.get("paymentIntents", id) ?? demoPayment({ tx, id });
  if (!intent)
    throw resourceMissing({ what: "payment_intent", id, param: "payment_intent", status: 400 });
  const charge = intent.latest_charge ? tx.get("charges", intent.latest_charge) : undefined;
  return charge?.paid
    ? charge
    : refuse({ message: `${id} n'a pas de paiement réussi à rembourser.` });
}

/** What the buyer's bank holds, or has taken, of a charge. */
const disputedOf = (tx: Transaction, charge: StoredCharge): number =>
  tx
    .list("disputes")
    .filter((dispute) => dispute.charge === charge.id && dispute.status !== "won")
    .reduce((sum, dispute) => sum + dispute.amount, 0);

export function createRefund(call: ApiCall): StoredRefund {
  const { params, tx, now } = call;
  const metadata = params.group("metadata");
  const charge = chargeToRefund(call);
  const disputed = disputedOf(tx, charge);
  const refundable = Math.max(0, charge.amount - charge.amount_refunded - disputed);
  const amount = params.integer("amount") ?? refundable;
  params.rejectUnknown();
  if (refundable === 0 && disputed > 0)
    refuse({
      code: "charge_disputed",
      message: `Le paiement ${charge.id} est contesté par la banque du client.`,
    });
  if (refundable === 0)
    refuse({
      code: "charge_already_refunded",
      message: `Le paiement ${charge.id} a déjà été remboursé.`,
    });
  if (amount < 1)
    refuse({
      code: "parameter_invalid_integer",
      message: "Le montant doit être un entier positif.",
      param: "amount",
    });
  if (amount > refundable)
    refuse({
      message: `Le remboursement (${formatAmount(amount)}) dépasse ce qui n'est pas encore remboursé (${formatAmount(refundable)}).`,
      param: "amount",
    });

  const last4 = charge.payment_method_details.card.last4;
  const refund = tx.put("refunds", {
    id: newId("re"),
    object: "refund",
    amount,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    metadata,
    payment_intent: charge.payment_intent,
    status: last4 === PENDING_REFUND_CARD.slice(-4) ? "pending" : "succeeded",
  });
  const refunded = tx.put("charges", {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: charge.amount_refunded + amount === charge.amount,
  });
  recordEvent(call, { type: "refund.created", object: refund });
  recordEvent(call, { type: "charge.refunded", object: refunded });
  return refund;
}

export function retrieveRefund({ tx, id }: ApiCall): StoredRefund {
  const refund = tx.get("refunds", id);
  if (!refund) throw resourceMissing({ what: "refund", id, param: "id" });
  return refund;
}

/** All, or those of the payment intent that is asked for. */
function ofPayment<Item extends { payment_intent: string }>({ params }: ApiCall, all: Item[]) {
  const intent = params.text("payment_intent");
  return intent ? all.filter((each) => each.payment_intent === intent) : all;
}

export const listRefunds = (call: ApiCall) =>
  listPage(call, { what: "refund", all: ofPayment(call, call.tx.list("refunds")) });

export const listDisputes = (call: ApiCall) =>
  listPage(call, { what: "dispute", all: ofPayment(call, call.tx.list("disputes")) });

const byControl = (tx: Transaction) => ({
  tx,
  requestId: newId("req"),
  idempotencyKey: null,
  now: Math.floor(Date.now() / 1000),
});

/** What the bank decides about a refund, also about one that had succeeded. */
export function settleRefund(
  tx: Transaction,
  { refund: id, status }: { refund: string; status: "succeeded" | "failed" },
): StoredRefund {
  const before = tx.get("refunds", id);
  if (!before || before.status === "failed")
    throw resourceMissing({ what: "refund", id, param: "refund" });
  const isFailed = status === "failed";
  const refund = tx.put("refunds", {
    ...before,
    status,
    ...(isFailed && { failure_reason: "expired_or_canceled_card" }),
  });
  const charge = tx.get("charges", before.charge);
  if (isFailed && charge)
    tx.put("charges", {
      ...charge,
      amount_refunded: charge.amount_refunded - refund.amount,
      refunded: false,
    });
  recordEvent(byControl(tx), { type: "refund.updated", object: refund });
  if (isFailed) recordEvent(byControl(tx), { type: "refund.failed", object: refund });
  return refund;
}

/**
 * The buyer's bank opens a dispute about all that is left of a payment, or decides it; null where nothing is
 * left.
 */
export function dispute(
  tx: Transaction,
  { payment_intent, status }: { payment_intent: string; status: "needs_response" | "won" | "lost" },
): StoredDispute | null {
  const cause = byControl(tx);
  const intent = tx.get("paymentIntents", payment_intent);
  const charge = intent?.latest_charge ? tx.get("charges", intent.latest_charge) : undefined;
  if (!charge?.paid)
    throw resourceMissing({ what: "payment_intent", id: payment_intent, param: "payment_intent" });
  const open = tx
    .list("disputes")
    .find((each) => each.charge === charge.id && each.status === "needs_response");
  const left = charge.amount - charge.amount_refunded - disputedOf(tx, charge);
  if (!open && left <= 0) return null;
  const present = open ?? {
    id: newId("dp"),
    object: "dispute" as const,
    amount: left,
    charge: charge.id,
    created: cause.now,
    currency: charge.currency,
    payment_intent,
    reason: "fraudulent",
    status: "needs_response" as const,
  };
  const saved = tx.put("disputes", { ...present, status });
  const created = { ...saved, status: "needs_response" as const };
  if (!open) recordEvent(cause, { type: "charge.dispute.created", object: created });
  if (status !== "needs_response")
    recordEvent(cause, { type: "charge.dispute.closed", object: saved });
  return saved;
}
