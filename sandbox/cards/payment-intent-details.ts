import type Stripe from "stripe";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { invalidParam, resourceMissing } from "@/sandbox/cards/api-error";
import type { Params } from "@/sandbox/cards/params";
import { readAddress } from "@/sandbox/cards/payment-methods";
import type { StoredPaymentIntent } from "@/sandbox/cards/records";

// Parameters of creating, updating and confirming a payment intent, besides amount and card.

const MAX_DESCRIPTION = 1_000;
const MAX_SUFFIX = 22;

/** The API version that renamed `payment_method_types` to `allowed_payment_method_types`. */
const TYPES_RENAMED_IN = "2026-09-30";

function readShipping(params: Params | null): Stripe.PaymentIntent.Shipping | null {
  if (params === null) return null;
  return {
    address: readAddress(params.hash("address")),
    carrier: params.clearableText("carrier") ?? null,
    name: params.requiredText("name"),
    phone: params.clearableText("phone") ?? null,
    tracking_number: params.clearableText("tracking_number") ?? null,
  };
}

/** Cards are the only supported type: refuses a list without them. */
function readPaymentMethodTypes({ params, version }: ApiCall): string[] | undefined {
  const acceptsOldName = version === null || version.slice(0, 10) < TYPES_RENAMED_IN;
  const names = ["allowed_payment_method_types"];
  if (acceptsOldName) names.push("payment_method_types");
  for (const name of names) {
    if (!params.has(name)) continue;
    const types = params.list(name);
    if (types.length > 0 && !types.includes("card"))
      throw invalidParam({
        message: `Cette démonstration n'accepte que les cartes : ${types.join(", ")}`,
        param: name,
      });
    if (name === "allowed_payment_method_types" && types.length > 0) return types;
  }
  return undefined;
}

function readPaymentMethodOptions(
  { params }: ApiCall,
  before: StoredPaymentIntent | null,
): Stripe.PaymentIntent.PaymentMethodOptions | undefined {
  const card = params.hash("payment_method_options")?.hash("card");
  const requestThreeDSecure = card?.oneOf("request_three_d_secure", [
    "any",
    "automatic",
    "challenge",
  ]);
  if (requestThreeDSecure === undefined) return undefined;
  const kept = before?.payment_method_options?.card;
  return {
    card: {
      installments: kept?.installments ?? null,
      mandate_options: kept?.mandate_options ?? null,
      network: kept?.network ?? null,
      request_three_d_secure: requestThreeDSecure,
    },
  };
}

function readReceiptEmail({ params }: ApiCall): string | null | undefined {
  const email = params.clearableText("receipt_email");
  if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw invalidParam({
      code: "email_invalid",
      message: `Adresse e-mail incorrecte : ${email}`,
      param: "receipt_email",
    });
  return email;
}

function omitUndefined(fields: Partial<StoredPaymentIntent>): Partial<StoredPaymentIntent> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** What a confirmation may set. A browser may send it: nothing that the shop relies upon. */
export function readConfirmationDetails(
  call: ApiCall,
  before: StoredPaymentIntent | null,
): Partial<StoredPaymentIntent> {
  const { params } = call;
  params.oneOf("capture_method", ["automatic", "automatic_async"]);
  const shipping = params.clearableHash("shipping");
  return omitUndefined({
    allowed_payment_method_types: readPaymentMethodTypes(call),
    payment_method_options: readPaymentMethodOptions(call, before),
    receipt_email: readReceiptEmail(call),
    setup_future_usage: params.oneOf("setup_future_usage", ["off_session", "on_session"]),
    shipping: shipping === undefined ? undefined : readShipping(shipping),
  });
}

/** What the shop may set when it creates or updates a payment intent. */
export function readDetails(
  call: ApiCall,
  before: StoredPaymentIntent | null,
): Partial<StoredPaymentIntent> {
  const { params } = call;
  const customer = params.text("customer");
  if (customer !== undefined)
    throw resourceMissing({ what: "customer", id: customer, param: "customer", status: 400 });
  return {
    ...readConfirmationDetails(call, before),
    ...omitUndefined({
      description: params.clearableText("description", MAX_DESCRIPTION),
      metadata: params.metadata(before?.metadata ?? {}),
      statement_descriptor_suffix: params.clearableText("statement_descriptor_suffix", MAX_SUFFIX),
      transfer_group: params.clearableText("transfer_group"),
    }),
  };
}
