import { formatAmount } from "@/sandbox/cards/amounts";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { ApiError, resourceMissing } from "@/sandbox/cards/api-error";
import { recordEvent } from "@/sandbox/cards/events";
import { newId } from "@/sandbox/cards/ids";
import type { StoredCharge, StoredRefund } from "@/sandbox/cards/records";

function refuse(details: { message: string; code?: string; param?: string }): never {
  throw new ApiError({ status: 400, type: "invalid_request_error", ...details, isOutcome: true });
}

/** The paid charge of the payment intent. */
function chargeToRefund({ tx, params }: ApiCall): StoredCharge {
  const id = params.requiredText("payment_intent");
  const intent = tx.get("paymentIntents", id);
  if (!intent)
    throw resourceMissing({ what: "payment_intent", id, param: "payment_intent", status: 400 });
  const charge = intent.latest_charge ? tx.get("charges", intent.latest_charge) : undefined;
  return charge?.paid
    ? charge
    : refuse({ message: `${id} n'a pas de paiement réussi à rembourser.` });
}

export function createRefund(call: ApiCall): StoredRefund {
  const { params, tx, now } = call;
  const metadata = params.group("metadata");
  const charge = chargeToRefund(call);
  const refundable = charge.amount - charge.amount_refunded;
  const amount = params.integer("amount") ?? refundable;
  params.rejectUnknown();
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

  const refund = tx.put("refunds", {
    id: newId("re"),
    object: "refund",
    amount,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    metadata,
    payment_intent: charge.payment_intent,
    status: "succeeded",
  });
  const refunded = tx.put("charges", {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === refundable,
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

/** All refunds of a payment intent, newest first. */
export function listRefunds({ tx, params }: ApiCall): object {
  const intent = params.requiredText("payment_intent");
  const data = tx.list("refunds").filter(({ payment_intent }) => payment_intent === intent);
  return { object: "list", data: data.reverse(), has_more: false, url: "/v1/refunds" };
}
