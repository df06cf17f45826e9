import type { ApiCall } from "@/sandbox/cards/api-call";
import { ApiError, invalidParam, resourceMissing } from "@/sandbox/cards/api-error";
import { formatAmount } from "@/sandbox/cards/currencies";
import { recordEvent } from "@/sandbox/cards/events";
import { newId } from "@/sandbox/cards/ids";
import { paginate, type StripeList } from "@/sandbox/cards/list";
import type { StoredCharge, StoredRefund } from "@/sandbox/cards/records";

const REASONS = ["duplicate", "fraudulent", "requested_by_customer"] as const;

function refuse(details: { message: string; code?: string; param?: string }): never {
  throw new ApiError({
    status: 400,
    type: "invalid_request_error",
    ...details,
    isOutcome: true,
  });
}

/** The charge to refund, named by itself or by its payment intent. */
function chargeToRefund({ tx, params }: ApiCall): StoredCharge {
  const chargeId = params.text("charge");
  const intentId = params.text("payment_intent");
  if (chargeId === undefined && intentId === undefined)
    throw invalidParam({
      code: "parameter_missing",
      message: "Il faut un de ces paramètres : payment_intent ou charge.",
    });
  if (chargeId !== undefined && intentId !== undefined)
    throw invalidParam({
      code: "parameters_exclusive",
      message: "Donnez payment_intent ou charge, et non les deux.",
      param: "charge",
    });
  if (chargeId !== undefined) {
    const charge = tx.get("charges", chargeId);
    if (!charge)
      throw resourceMissing({ what: "charge", id: chargeId, param: "charge", status: 400 });
    if (!charge.paid)
      refuse({ message: `Le paiement ${chargeId} n'a pas abouti.`, param: "charge" });
    return charge;
  }
  const id = intentId ?? "";
  const intent = tx.get("paymentIntents", id);
  if (!intent)
    throw resourceMissing({ what: "payment_intent", id, param: "payment_intent", status: 400 });
  const charge = intent.latest_charge ? tx.get("charges", intent.latest_charge) : undefined;
  if (charge?.paid) return charge;
  return refuse({ message: `${id} n'a pas de paiement réussi à rembourser.` });
}

export function createRefund(call: ApiCall): StoredRefund {
  const { params, tx, now } = call;
  const reason = params.oneOf("reason", REASONS) ?? null;
  const metadata = params.metadata({});
  const requestedAmount = params.integer("amount");
  const charge = chargeToRefund(call);
  params.rejectUnknown();

  const { currency } = charge;
  const refundable = charge.amount - charge.amount_refunded;
  if (requestedAmount !== undefined && requestedAmount < 1)
    throw invalidParam({
      code: "parameter_invalid_integer",
      message: "Le montant doit être un entier positif.",
      param: "amount",
    });
  if (refundable === 0)
    refuse({
      code: "charge_already_refunded",
      message: `Le paiement ${charge.id} a déjà été remboursé.`,
    });
  const amount = requestedAmount ?? refundable;
  if (amount > refundable)
    refuse({
      message: `Le remboursement (${formatAmount({ amount, currency })}) dépasse ce qui n'est pas encore remboursé (${formatAmount({ amount: refundable, currency })}).`,
      param: "amount",
    });

  const refund = tx.put("refunds", {
    id: newId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now,
    currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: {
        reference: charge.id.slice(-12),
        reference_status: "available",
        reference_type: "acquirer_reference_number",
        type: "refund",
      },
      type: "card",
    },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  });
  const refunded = tx.put("charges", {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === refundable,
  });
  recordEvent(call, { type: "refund.created", object: refund });
  recordEvent(call, {
    type: "charge.refunded",
    object: refunded,
    previous: { amount_refunded: charge.amount_refunded, refunded: charge.refunded },
  });
  return refund;
}

export function retrieveRefund({ tx, id }: ApiCall): StoredRefund {
  const refund = tx.get("refunds", id);
  if (!refund) throw resourceMissing({ what: "refund", id, param: "id" });
  return refund;
}

export function listRefunds({ tx, params }: ApiCall): StripeList<StoredRefund> {
  const charge = params.text("charge");
  const intent = params.text("payment_intent");
  const rows = tx
    .list("refunds")
    .filter(
      (refund) =>
        (charge === undefined || refund.charge === charge) &&
        (intent === undefined || refund.payment_intent === intent),
    );
  return paginate({ rows, params, url: "/v1/refunds", what: "refund" });
}
