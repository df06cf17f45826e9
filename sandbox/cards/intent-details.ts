import type Stripe from "stripe";
import { invalidParam, missing } from "@/sandbox/cards/api-error";
import type { ApiCall } from "@/sandbox/cards/call";
import type { Params } from "@/sandbox/cards/params";
import { readAddress } from "@/sandbox/cards/payment-methods";
import type { StoredIntent } from "@/sandbox/cards/records";

// What may be said of a payment when it is created, updated or confirmed, beside its money.

const MAX_DESCRIPTION = 1_000;
const MAX_SUFFIX = 22;

/** The first version in which `allowed_payment_method_types` took the place of its forerunner. */
const NEW_TYPES_SINCE = "2026-09-30";

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

/** Cards are the only kind there is; who asks for others without cards asks in vain. */
function readTypes({ params, version }: ApiCall): string[] | undefined {
  const speaksOldName = version === null || version.slice(0, 10) < NEW_TYPES_SINCE;
  const names = ["allowed_payment_method_types"];
  if (speaksOldName) names.push("payment_method_types");
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

function readOptions(
  { params }: ApiCall,
  before: StoredIntent | null,
): Stripe.PaymentIntent.PaymentMethodOptions | undefined {
  const card = params.hash("payment_method_options")?.hash("card");
  const wish = card?.oneOf("request_three_d_secure", ["any", "automatic", "challenge"]);
  if (wish === undefined) return undefined;
  const kept = before?.payment_method_options?.card;
  return {
    card: {
      installments: kept?.installments ?? null,
      mandate_options: kept?.mandate_options ?? null,
      network: kept?.network ?? null,
      request_three_d_secure: wish,
    },
  };
}

function readEmail({ params }: ApiCall): string | null | undefined {
  const email = params.clearableText("receipt_email");
  if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw invalidParam({
      code: "email_invalid",
      message: `Adresse e-mail incorrecte : ${email}`,
      param: "receipt_email",
    });
  return email;
}

/** Without what the request does not name. */
function named(found: Partial<StoredIntent>): Partial<StoredIntent> {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** What a confirmation may set, which a browser sends: nothing that the shop relies upon. */
export function readConfirmedDetails(
  call: ApiCall,
  before: StoredIntent | null,
): Partial<StoredIntent> {
  const { params } = call;
  params.oneOf("capture_method", ["automatic", "automatic_async"]);
  const shipping = params.clearableHash("shipping");
  return named({
    allowed_payment_method_types: readTypes(call),
    payment_method_options: readOptions(call, before),
    receipt_email: readEmail(call),
    setup_future_usage: params.oneOf("setup_future_usage", ["off_session", "on_session"]),
    shipping: shipping === undefined ? undefined : readShipping(shipping),
  });
}

/** What the shop may set. */
export function readDetails(call: ApiCall, before: StoredIntent | null): Partial<StoredIntent> {
  const { params } = call;
  const customer = params.text("customer");
  if (customer !== undefined)
    throw missing({ what: "customer", id: customer, param: "customer", status: 400 });
  return {
    ...readConfirmedDetails(call, before),
    ...named({
      description: params.clearableText("description", MAX_DESCRIPTION),
      metadata: params.metadata(before?.metadata ?? {}),
      statement_descriptor_suffix: params.clearableText("statement_descriptor_suffix", MAX_SUFFIX),
      transfer_group: params.clearableText("transfer_group"),
    }),
  };
}
