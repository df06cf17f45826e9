import { expect, test } from "@/e2e/services/card-sandbox";
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
  const online = { ip_address: "127.0.0.1", user_agent: "essai" };
  const { id } = await stripe.paymentIntents.create({
    ...eur,
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    receipt_email: "jeanne@exemple.test",
    shipping,
    statement_descriptor_suffix: "BOUTIQUE",
  });
  const paid = await stripe.paymentIntents.confirm(id, {
    payment_method: "pm_card_visa",
    return_url: "https://exemple.test/retour",
    mandate_data: { customer_acceptance: { type: "online", online } },
    payment_method_options: { card: { request_three_d_secure: "automatic" } },
    setup_future_usage: null,
    shipping,
  });
  expect(paid).toMatchObject({ status: "succeeded", amount_received: 1000 });
  const refund = await stripe.refunds.create({
    payment_intent: id,
    amount: 300,
    instructions_email: "jeanne@exemple.test",
    reverse_transfer: false,
  });
  expect(refund).toMatchObject({ object: "refund", amount: 300, status: "succeeded" });
});
