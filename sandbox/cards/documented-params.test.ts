import type Stripe from "stripe";
import { errorOf, expect, test } from "@/e2e/services/card-sandbox";
import { DOCUMENTED_PARAMS, type DocumentedCall } from "@/sandbox/cards/documented-params";

// `npm run types` checks that the lists match the parameters of the package's types exactly.

const eur = { amount: 1000, currency: "eur" };

const ofPayment = (id: string, end = "") => `payment_intents/${id}${end}`;

/** The method and path of each call, for a payment's id. */
const PATHS: Record<DocumentedCall, (id: string) => [method: string, path: string]> = {
  "payment_intents.create": () => ["POST", "payment_intents"],
  "payment_intents.list": () => ["GET", "payment_intents"],
  "payment_intents.retrieve": (id) => ["GET", ofPayment(id)],
  "payment_intents.update": (id) => ["POST", ofPayment(id)],
  "payment_intents.confirm": (id) => ["POST", ofPayment(id, "/confirm")],
  "payment_intents.cancel": (id) => ["POST", ofPayment(id, "/cancel")],
  "refunds.create": () => ["POST", "refunds"],
  "refunds.list": () => ["GET", "refunds"],
  "disputes.list": () => ["GET", "disputes"],
};

for (const [call, params] of Object.entries(DOCUMENTED_PARAMS))
  test(`${call} knows every documented parameter, and no other`, async ({ sandbox, stripe }) => {
    const { id } = await stripe.paymentIntents.create(eur);
    const [method, path] = PATHS[call as DocumentedCall](id);
    const codeOf = async (name: string) => {
      const form = new URLSearchParams({ [name]: "1" });
      const isRead = method === "GET";
      const answer = await fetch(`${sandbox.url}/v1/${path}${isRead ? `?${form}` : ""}`, {
        method,
        headers: { Authorization: "Bearer sk_test_1" },
        ...(!isRead && { body: form }),
      });
      const { error } = (await answer.json()) as { error?: { code?: string; param?: string } };
      return error?.code === "parameter_unknown" ? error.param : "known";
    };
    for (const name of Object.keys(params))
      for (const form of [name, `${name}[0]`, `${name}[some][thing]`])
        expect(await codeOf(form)).toBe("known");
    for (const name of ["colour", "colour[0]", "x_return_url", ""])
      expect(await codeOf(name)).toBe(name);
  });

test("parameters that the sandbox has no use for change nothing about a payment", async ({
  stripe,
}) => {
  const shipping = { name: "Jeanne", address: { line1: "1 rue de Rivoli", city: "Paris" } };
  const { id } = await stripe.paymentIntents.create({
    ...eur,
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    description: "CMD-2026-000001",
    excluded_payment_method_types: ["klarna"],
    receipt_email: "jeanne@exemple.test",
    shipping,
    statement_descriptor_suffix: "BOUTIQUE",
  });
  const paid = await stripe.paymentIntents.confirm(id, {
    payment_method: "pm_card_visa",
    return_url: "https://exemple.test/retour",
    mandate_data: { customer_acceptance: { type: "online", online: ACCEPTED } },
    payment_method_options: { card: { request_three_d_secure: "automatic" } },
    setup_future_usage: null,
    shipping,
  });
  expect(paid).toMatchObject({ status: "succeeded", amount_received: 1000 });
  const refund = await stripe.refunds.create({
    payment_intent: id,
    amount: 300,
    reason: "requested_by_customer",
    instructions_email: "jeanne@exemple.test",
    reverse_transfer: false,
    expand: ["charge"],
  });
  expect(refund).toMatchObject({ object: "refund", amount: 300, status: "succeeded" });
  expect(refund).not.toHaveProperty("latest_charge");
  const other = await stripe.paymentIntents.create(eur);
  const canceled = await stripe.paymentIntents.cancel(other.id, {
    cancellation_reason: "requested_by_customer",
  });
  expect(canceled.status).toBe("canceled");
});

const ACCEPTED = { ip_address: "127.0.0.1", user_agent: "essai" };

test("metadata can be changed key by key, also after the payment; other fields cannot", async ({
  stripe,
}) => {
  const { id } = await stripe.paymentIntents.create({
    ...eur,
    metadata: { checkout: "17", shop: "a" },
    payment_method: "pm_card_visa",
    confirm: true,
  });
  const changed = await stripe.paymentIntents.update(id, {
    description: "CMD-2026-000001",
    metadata: { order: "CMD-2026-000001", shop: "" },
  });
  expect(changed).toMatchObject({
    status: "succeeded",
    amount: 1000,
    description: "CMD-2026-000001",
  });
  expect(changed.metadata).toEqual({ checkout: "17", order: "CMD-2026-000001" });
  expect((await stripe.paymentIntents.update(id, { metadata: null })).metadata).toEqual({});
});

test("a refund may name the charge in place of the payment", async ({ stripe }) => {
  const paid = await stripe.paymentIntents.create({
    ...eur,
    payment_method: "pm_card_visa",
    confirm: true,
  });
  const charge = String(paid.latest_charge);
  const refund = await stripe.refunds.create({ charge, amount: 100 });
  expect(refund).toMatchObject({ payment_intent: paid.id, charge });
  const idsOf = async (wanted: Stripe.RefundListParams) =>
    (await stripe.refunds.list(wanted)).data.map((each) => each.id);
  expect(await idsOf({ charge })).toEqual([refund.id]);
  expect(await idsOf({ charge: "ch_unknown" })).toEqual([]);
  expect(await errorOf(stripe.refunds.create({ charge: "ch_unknown" }))).toMatchObject({
    statusCode: 400,
    code: "resource_missing",
    param: "charge",
  });
});

test("lists can be paged backwards, and limited by both dates", async ({ stripe }) => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.unshift((await stripe.paymentIntents.create(eur)).id);
  const list = async (wanted: Stripe.PaymentIntentListParams) => {
    const { data, has_more } = await stripe.paymentIntents.list(wanted);
    return [data.map(({ id }) => id), has_more];
  };
  expect(await list({ ending_before: ids[3], limit: 2 })).toEqual([ids.slice(1, 3), true]);
  expect(await list({ ending_before: ids[1], limit: 2 })).toEqual([ids.slice(0, 1), false]);
  const { created } = await stripe.paymentIntents.retrieve(ids[4] ?? "");
  expect((await list({ created: { gt: created - 1, lt: created + 60 } }))[0]).toEqual(ids);
  expect((await list({ created: { lt: created } }))[0]).toEqual([]);
  expect((await list({ created: { lte: created - 1 } }))[0]).toEqual([]);
  expect((await list({ created: created - 1 }))[0]).toEqual([]);
  expect((await list({ customer: "cus_1" }))[0]).toEqual([]);
});
