import { createHash } from "node:crypto";
import type Stripe from "stripe";
import { passesLuhn } from "@/lib/luhn";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { ApiError, invalidParam, resourceMissing } from "@/sandbox/cards/api-error";
import { newId } from "@/sandbox/cards/ids";
import type { Params } from "@/sandbox/cards/params";
import type { StoredPaymentMethod } from "@/sandbox/cards/records";
import {
  findCardByAlias,
  findCardByNumber,
  requireCard,
  type TestCard,
} from "@/sandbox/cards/test-cards";

interface Expiry {
  month: number;
  year: number;
}

function cardError(details: {
  code: string;
  message: string;
  param: string;
  decline_code?: string;
}): never {
  throw new ApiError({ status: 402, type: "card_error", ...details });
}

function readNumber(params: Params): TestCard {
  const param = params.nameOf("number");
  const number = params.requiredText("number").replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(number))
    cardError({
      code: "invalid_number",
      message: "Le numéro de carte n'est pas un numéro de carte valide.",
      param,
    });
  if (!passesLuhn(number))
    cardError({
      code: "incorrect_number",
      message: "Le numéro de votre carte est incorrect.",
      param,
    });
  return (
    findCardByNumber(number) ??
    cardError({
      code: "card_declined",
      decline_code: "test_mode_live_card",
      message:
        "Votre carte a été refusée. Ceci est une démonstration : seules les cartes de test sont acceptées.",
      param,
    })
  );
}

function readExpiry(params: Params, now: number): Expiry {
  const month = params.requiredInteger("exp_month");
  const given = params.requiredInteger("exp_year");
  const year = given >= 0 && given < 100 ? 2000 + given : given;
  const refuse = (part: "month" | "year", message: string) =>
    cardError({ code: `invalid_expiry_${part}`, message, param: params.nameOf(`exp_${part}`) });
  const today = new Date(now * 1000);
  const thisYear = today.getUTCFullYear();
  if (year < thisYear || year > thisYear + 50)
    refuse("year", "L'année d'expiration de votre carte n'est pas valide.");
  const earliest = year === thisYear ? today.getUTCMonth() + 1 : 1;
  if (month < earliest || month > 12)
    refuse("month", "Le mois d'expiration de votre carte n'est pas valide.");
  return { month, year };
}

/** Reads the CVC: is it given at all? */
function readCvc(params: Params, { brand }: TestCard): boolean {
  const cvc = params.clearableText("cvc");
  if (cvc === undefined || cvc === null) return false;
  if (new RegExp(`^\\d{${brand === "amex" ? 4 : 3}}$`).test(cvc)) return true;
  return cardError({
    code: "invalid_cvc",
    message: "Le code de sécurité de votre carte n'est pas valide.",
    param: params.nameOf("cvc"),
  });
}

export function readAddress(params: Params | undefined): Stripe.Address {
  const text = (name: string) => params?.clearableText(name) ?? null;
  return {
    city: text("city"),
    country: text("country"),
    line1: text("line1"),
    line2: text("line2"),
    postal_code: text("postal_code"),
    state: text("state"),
  };
}

function readBillingDetails(params: Params | undefined): Stripe.PaymentMethod.BillingDetails {
  const text = (name: string) => params?.clearableText(name) ?? null;
  return {
    address: readAddress(params?.hash("address")),
    email: text("email"),
    name: text("name"),
    phone: text("phone"),
    tax_id: text("tax_id"),
  };
}

function buildPaymentMethod({
  card,
  expiry,
  hasCvc,
  billing,
  metadata,
  now,
}: {
  card: TestCard;
  expiry: Expiry;
  hasCvc: boolean;
  billing: Stripe.PaymentMethod.BillingDetails;
  metadata: Record<string, string>;
  now: number;
}): StoredPaymentMethod {
  const id = newId("pm");
  const object: Stripe.PaymentMethod = {
    id,
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: billing,
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: hasCvc ? "unchecked" : null,
      },
      country: card.country,
      display_brand: card.brand,
      exp_month: expiry.month,
      exp_year: expiry.year,
      fingerprint: createHash("sha256").update(card.number).digest("base64url").slice(0, 16),
      funding: card.funding,
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: "unregulated",
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata,
    type: "card",
  };
  return { id, card: card.name, object };
}

/** Creates a payment method from an alias such as pm_card_visa, as Stripe does for each use. */
function paymentMethodFromAlias({ tx, now }: ApiCall, card: TestCard): StoredPaymentMethod {
  const expiry = { month: 12, year: new Date(now * 1000).getUTCFullYear() + 2 };
  const billing = readBillingDetails(undefined);
  const method = buildPaymentMethod({ card, expiry, hasCvc: false, billing, metadata: {}, now });
  return tx.put("paymentMethods", method);
}

/** Creates a payment method from the request's parameters or its `payment_method_data`. */
function savePaymentMethod(call: ApiCall, params: Params): StoredPaymentMethod {
  const { tx, now } = call;
  params.requiredText("type");
  params.oneOf("type", ["card"]);
  params.oneOf("allow_redisplay", ["always", "limited", "unspecified"]);
  const billing = readBillingDetails(params.hash("billing_details"));
  const metadata = params.metadata({});
  const data = params.hash("card");
  if (!data)
    throw invalidParam({
      code: "parameter_missing",
      message: `Paramètre obligatoire absent : ${params.nameOf("card")}.`,
      param: params.nameOf("card"),
    });
  const token = data.text("token");
  if (token !== undefined) {
    const card = findCardByAlias(token);
    if (!card || !token.startsWith("tok_"))
      throw resourceMissing({ what: "token", id: token, param: data.nameOf("token"), status: 400 });
    return paymentMethodFromAlias(call, card);
  }
  const card = readNumber(data);
  const expiry = readExpiry(data, now);
  const hasCvc = readCvc(data, card);
  return tx.put(
    "paymentMethods",
    buildPaymentMethod({ card, expiry, hasCvc, billing, metadata, now }),
  );
}

/**
 * The payment method of `payment_method`, or a new one of `payment_method_data`.
 *
 * @throws ApiError 400 for an unknown one, 402 for invalid card data
 */
export function readPaymentMethod(call: ApiCall): StoredPaymentMethod | undefined {
  const { params, tx } = call;
  const id = params.text("payment_method");
  const data = params.hash("payment_method_data");
  if (id !== undefined && data)
    throw invalidParam({
      code: "parameters_exclusive",
      message: "Donnez payment_method ou payment_method_data, et non les deux.",
      param: "payment_method_data",
    });
  if (data) return savePaymentMethod(call, data);
  if (id === undefined) return undefined;
  const card = id.startsWith("pm_") ? findCardByAlias(id) : undefined;
  if (card) return paymentMethodFromAlias(call, card);
  const method = tx.get("paymentMethods", id);
  if (!method)
    throw resourceMissing({ what: "PaymentMethod", id, param: "payment_method", status: 400 });
  return method;
}

export function createPaymentMethod(call: ApiCall): Stripe.PaymentMethod {
  return savePaymentMethod(call, call.params).object;
}

export function retrievePaymentMethod({ tx, id }: ApiCall): Stripe.PaymentMethod {
  const method = tx.get("paymentMethods", id);
  if (!method) throw resourceMissing({ what: "PaymentMethod", id, param: "payment_method" });
  return method.object;
}

export function testCardOf(method: StoredPaymentMethod): TestCard {
  return requireCard(method.card);
}
