import { readFileSync } from "node:fs";
import path from "node:path";
import Stripe from "stripe";
import { errorOf, expect, stripeFor, test } from "@/e2e/services/card-sandbox";
import { STRIPE_API_VERSION } from "@/lib/payment-settings";
import { demoPaymentId } from "@/lib/payments/demo-payment";
import { TEST_CARDS } from "@/sandbox/cards/test-cards";

const eur = (amount: number) => ({ amount, currency: "eur" });

const pay = (stripe: Stripe, amount = 1000) =>
  stripe.paymentIntents.create({ ...eur(amount), payment_method: "pm_card_visa", confirm: true });

/** Card data as a browser sends it; missing in the package's types, since only Stripe.js sends it. */
const withCard = (card: object) =>
  ({ payment_method_data: { type: "card", card } }) as Stripe.PaymentIntentConfirmParams;

const good = { number: "4242424242424242", exp_month: 12, exp_year: 2040, cvc: "123" };

/** Reads an expanded relation. */
function whole<Item extends { id: string }>(value: string | Item | null | undefined): Item {
  if (typeof value !== "object" || value === null) throw new Error(`Not expanded: ${value}`);
  return value;
}

test("the sandbox's API version is the one of the installed package", () => {
  expect(STRIPE_API_VERSION).toBe(Stripe.API_VERSION);
});

test.describe("a payment", () => {
  test("is created with requires_payment_method", async ({ stripe }) => {
    const intent = await stripe.paymentIntents.create({
      ...eur(4290),
      allowed_payment_method_types: ["card"],
      metadata: { checkout: "17", clé: "été & hiver" },
    });
    expect(intent).toMatchObject({
      object: "payment_intent",
      amount: 4290,
      amount_received: 0,
      currency: "eur",
      status: "requires_payment_method",
      metadata: { checkout: "17", clé: "été & hiver" },
      payment_method: null,
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
    });
    expect(intent.id).toMatch(/^pi_\w{24}$/);
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{32}$`));
    expect(Math.abs(intent.created - Date.now() / 1000)).toBeLessThan(5);
    expect(intent.lastResponse.requestId).toMatch(/^req_/);
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
  });

  test("shows the card in its charge, and can change its amount until it is paid", async ({
    stripe,
  }) => {
    const { id } = await stripe.paymentIntents.create(eur(4290));
    expect((await stripe.paymentIntents.update(id, { amount: 100 })).amount).toBe(100);
    const paid = await stripe.paymentIntents.confirm(id, {
      payment_method: "pm_card_visa",
      expand: ["latest_charge"],
    });
    expect(paid).toMatchObject({ status: "succeeded", amount_received: 100 });
    expect(whole(paid.latest_charge)).toMatchObject({
      object: "charge",
      amount: 100,
      amount_refunded: 0,
      paid: true,
      payment_intent: id,
      payment_method_details: { card: { last4: "4242" } },
    });
    expect(await errorOf(stripe.paymentIntents.update(id, { amount: 200 }))).toMatchObject({
      code: "payment_intent_unexpected_state",
    });
  });
});

test("too small, too large and broken amounts are refused", async ({ stripe, control }) => {
  for (const [amount, code] of [
    [49, "amount_too_small"],
    [100_000_000, "amount_too_large"],
    [-500, "amount_too_small"],
    [12.5, "parameter_invalid_integer"],
  ] as const) {
    const error = await errorOf(stripe.paymentIntents.create(eur(amount)));
    expect(error, String(amount)).toMatchObject({ statusCode: 400, code, param: "amount" });
    if (amount === 49) expect(error.message).toContain("0,50\u00a0€");
  }
  expect((await control.summary()).payments).toEqual([]);
  for (const amount of [50, 99_999_999])
    expect((await stripe.paymentIntents.create(eur(amount))).amount).toBe(amount);
});

test.describe("states", () => {
  const state = { statusCode: 400, code: "payment_intent_unexpected_state" };

  test("a payment cannot be confirmed without a card, twice, or after it was canceled", async ({
    stripe,
    control,
  }) => {
    const { id } = await stripe.paymentIntents.create(eur(1000));
    expect(await errorOf(stripe.paymentIntents.confirm(id))).toMatchObject(state);
    await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
    const again = stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
    expect(await errorOf(again)).toMatchObject({
      ...state,
      payment_intent: { id, status: "succeeded" },
    });
    const other = await stripe.paymentIntents.create(eur(1000));
    await stripe.paymentIntents.cancel(other.id);
    const dead = stripe.paymentIntents.confirm(other.id, { payment_method: "pm_card_visa" });
    expect(await errorOf(dead)).toMatchObject(state);
    expect((await control.summary()).totals).toMatchObject({ taken: 1000, payments: 1 });
  });

  test("an open payment can be canceled, a paid one not", async ({ stripe }) => {
    const open = await stripe.paymentIntents.create(eur(1000));
    expect((await stripe.paymentIntents.cancel(open.id)).status).toBe("canceled");
    const waiting = await stripe.paymentIntents.create({
      ...eur(1000),
      payment_method: "pm_card_authenticationRequired",
      confirm: true,
    });
    expect(waiting).toMatchObject({
      status: "requires_action",
      amount_received: 0,
      next_action: { use_stripe_sdk: { authentication_path: "/v1/3ds2/authenticate" } },
    });
    expect(await stripe.paymentIntents.cancel(waiting.id)).toMatchObject({
      status: "canceled",
      next_action: null,
    });
    const paid = await pay(stripe);
    for (const id of [paid.id, open.id])
      expect(await errorOf(stripe.paymentIntents.cancel(id))).toMatchObject(state);
  });
});

test.describe("test cards", () => {
  for (const { number, alias, decline, needsAuthentication } of TEST_CARDS)
    test(`${number} does the same by number and by name`, async ({ stripe, control }) => {
      const cvc = number.startsWith("37") ? "1234" : "123";
      const { id } = await stripe.paymentIntents.create(eur(1000));
      for (const attempt of [withCard({ ...good, number, cvc }), { payment_method: alias }]) {
        const confirming = stripe.paymentIntents.confirm(id, attempt);
        if (needsAuthentication) {
          expect((await confirming).status).toBe("requires_action");
          continue;
        }
        if (!decline) {
          expect((await confirming).status).toBe("succeeded");
          break;
        }
        const { code, decline_code, message } = decline;
        const error = await errorOf(confirming);
        expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
        expect(error).toMatchObject({ statusCode: 402, rawType: "card_error", code, message });
        expect(error.decline_code || undefined).toBe(decline_code);
        expect(error.payment_intent).toMatchObject({ id, status: "requires_payment_method" });
        const intent = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
        expect(intent).toMatchObject({
          status: "requires_payment_method",
          amount_received: 0,
          last_payment_error: { type: "card_error", code, message },
        });
        expect(whole(intent.latest_charge)).toMatchObject({
          paid: false,
          payment_method_details: { card: { last4: number.slice(-4) } },
        });
      }
      // A declined payment can still be paid with another card.
      if (decline && !needsAuthentication)
        await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
      const paid = needsAuthentication ? { payments: 0 } : { taken: 1000, payments: 1 };
      expect((await control.summary()).totals).toMatchObject(paid);
    });

  test("faulty and expired card data is refused", async ({ stripe }) => {
    const { id } = await stripe.paymentIntents.create(eur(1000));
    const confirm = (card: object) =>
      stripe.paymentIntents.confirm(id, withCard({ ...good, ...card }));
    for (const [card, code, part] of [
      [{ number: "4242424242424241" }, "incorrect_number", "number"],
      [{ number: "42" }, "invalid_number", "number"],
      [{ exp_month: 13 }, "invalid_expiry_month", "exp_month"],
      [{ exp_year: 2020 }, "invalid_expiry_year", "exp_year"],
      [{ exp_year: 20 }, "invalid_expiry_year", "exp_year"],
      [{ cvc: "12" }, "invalid_cvc", "cvc"],
      [{ cvc: "1234" }, "invalid_cvc", "cvc"],
    ] as const) {
      const error = await errorOf(confirm(card));
      const param = `payment_method_data[card][${part}]`;
      expect(error, JSON.stringify(card)).toMatchObject({ statusCode: 402, code, param });
      if (code === "incorrect_number")
        expect(error.message).toBe("Le numéro de votre carte est incorrect.");
    }
    const now = new Date();
    const expiry = (date: Date) => ({
      exp_month: date.getUTCMonth() + 1,
      exp_year: date.getUTCFullYear(),
    });
    const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15));
    const expired = await errorOf(confirm(expiry(lastMonth)));
    expect(expired.code).toMatch(/^invalid_expiry_(month|year)$/);
    expect((await confirm(expiry(now))).status).toBe("succeeded");
  });

  test("a real card is refused; no number and no CVC is stored, not even of test cards", async ({
    stripe,
    folder,
  }) => {
    const { id } = await stripe.paymentIntents.create(eur(1000));
    const real = { ...good, number: "4111111111111111", cvc: "987" };
    const error = await errorOf(stripe.paymentIntents.confirm(id, withCard(real)));
    await stripe.paymentIntents.confirm(id, withCard({ ...good, cvc: "987" }));
    const kept = readFileSync(path.join(folder, "cards.jsonl"), "utf8");
    expect(kept).toContain("payment_intent.succeeded");
    for (const secret of [real.number, good.number, '"987"']) expect(kept).not.toContain(secret);
    expect(error).toMatchObject({ code: "card_declined" });
    expect(error.message).toContain("Votre carte a été refusée.");
  });
});

test.describe("refunds", () => {
  test("of a demonstration order, which was never paid, succeed", async ({ stripe, control }) => {
    const id = demoPaymentId({ number: "CMD-2026-000001", totalCents: 4290 });
    expect((await stripe.refunds.create({ payment_intent: id, amount: 90 })).status).toBe(
      "succeeded",
    );
    expect(
      await errorOf(stripe.refunds.create({ payment_intent: id, amount: 4201 })),
    ).toMatchObject({ statusCode: 400, param: "amount" });
    expect((await stripe.refunds.create({ payment_intent: id })).amount).toBe(4200);
    expect((await control.summary()).totals).toMatchObject({ taken: 4290, net: 0 });
    for (const unknown of ["pi_demo0x123456789012", "pi_demo4290x1", "pi_4290x123456789012"])
      expect(await errorOf(stripe.refunds.create({ payment_intent: unknown }))).toMatchObject({
        code: "resource_missing",
      });
  });

  test("can be partial, until nothing is left", async ({ stripe, control }) => {
    const { id } = await pay(stripe);
    const refund = (amount?: number) =>
      stripe.refunds.create({ payment_intent: id, ...(amount !== undefined && { amount }) });
    expect(await refund(400)).toMatchObject({
      object: "refund",
      amount: 400,
      currency: "eur",
      status: "succeeded",
      payment_intent: id,
    });
    const after = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
    expect(after.status).toBe("succeeded");
    expect(whole(after.latest_charge)).toMatchObject({ amount_refunded: 400 });
    for (const amount of [601, 0, -5])
      expect(await errorOf(refund(amount))).toMatchObject({ statusCode: 400, param: "amount" });
    expect((await refund()).amount).toBe(600);
    const again = await errorOf(refund());
    expect(again).toMatchObject({ statusCode: 400, code: "charge_already_refunded" });
    await stripe.refunds.create({ payment_intent: (await pay(stripe)).id });
    const list = await stripe.refunds.list({ payment_intent: id });
    expect(list.data.map(({ amount }) => amount)).toEqual([600, 400]);
    const totals = { taken: 2000, refunded: 2000, net: 0, payments: 2, refunds: 3 };
    expect((await control.summary()).totals).toEqual(totals);
  });

  test("of an unpaid or unknown payment are refused", async ({ stripe }) => {
    const { id } = await stripe.paymentIntents.create(eur(1000));
    // By either of Stripe's names.
    for (const payment_method of ["pm_card_chargeDeclined", "pm_card_visa_chargeDeclined"])
      expect(await errorOf(stripe.paymentIntents.confirm(id, { payment_method }))).toMatchObject({
        code: "card_declined",
      });
    const unpaid = await errorOf(stripe.refunds.create({ payment_intent: id }));
    expect(unpaid.statusCode).toBe(400);
    const unknown = await errorOf(stripe.refunds.create({ payment_intent: "pi_unknown" }));
    expect(unknown).toMatchObject({ code: "resource_missing", param: "payment_intent" });
    expect(await errorOf(stripe.refunds.create({}))).toMatchObject({ code: "parameter_missing" });
  });
});

test.describe("errors", () => {
  test("an unknown object is 404", async ({ stripe, sandbox }) => {
    for (const call of [
      stripe.paymentIntents.retrieve("pi_unknown"),
      stripe.paymentIntents.confirm("pi_unknown"),
      stripe.paymentIntents.cancel("pi_é/../x"),
    ])
      expect(await errorOf(call)).toMatchObject({
        statusCode: 404,
        type: "StripeInvalidRequestError",
        code: "resource_missing",
        param: "intent",
      });
    const headers = { Authorization: "Bearer sk_test_1" };
    for (const path of ["/v1/customers", "/v1", "/v1/payment_intents/pi_1/nothing", "/v1/%zz"])
      expect((await fetch(`${sandbox.url}${path}`, { headers })).status).toBe(404);
  });

  test("unknown and malformed parameters are named", async ({ stripe, sandbox }) => {
    const headers = { Authorization: "Bearer sk_test_1" };
    for (const [body, param, code] of [
      ["currency=eur", "amount", "parameter_missing"],
      ["amount=100&currency=usd", "currency", undefined],
      ["amount=&currency=eur", "amount", "parameter_invalid_integer"],
      ["amount=100&currency=eur&shape[corner]=red", "shape[corner]", "parameter_unknown"],
      ["amount=100&currency=eur&metadata=x", "metadata", undefined],
      ["amount=100&currency=eur&confirm=yes", "confirm", undefined],
      ["amount=100&currency=eur&payment_method=pm_unknown", "payment_method", "resource_missing"],
    ] as const) {
      const url = `${sandbox.url}/v1/payment_intents`;
      const answer = await fetch(url, { method: "POST", headers, body: new URLSearchParams(body) });
      expect(answer.status).toBe(400);
      const { error } = (await answer.json()) as { error: Record<string, string> };
      expect(error, body).toMatchObject({ type: "invalid_request_error", param });
      expect(error.code, body).toBe(code);
    }
    expect((await stripe.paymentIntents.list()).data).toEqual([]);
  });

  test("any test key is accepted, everything else is 401", async ({ sandbox }) => {
    for (const apiKey of ["sk_test_1", "sk_test_abcDEF123"])
      await stripeFor(sandbox.url, { apiKey }).paymentIntents.list();
    for (const apiKey of ["sk_live_1", "sk_test_", "sk_test_a-b", "key"]) {
      const error = await errorOf(stripeFor(sandbox.url, { apiKey }).paymentIntents.list());
      expect(error).toMatchObject({ statusCode: 401, rawType: "invalid_request_error" });
    }
    expect((await fetch(`${sandbox.url}/v1/payment_intents`)).status).toBe(401);
  });
});

test("the list of payments is paged by cursor, newest first, with their charges", async ({
  stripe,
}) => {
  const ids: string[] = [];
  for (let i = 0; i < 12; i += 1) ids.unshift((await pay(stripe, 100 + i)).id);
  const first = await stripe.paymentIntents.list({ expand: ["data.latest_charge"] });
  expect(first).toMatchObject({ object: "list", has_more: true, url: "/v1/payment_intents" });
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 10));
  expect(whole(first.data[0]?.latest_charge).amount).toBe(111);
  const last = await stripe.paymentIntents.list({ limit: 10, starting_after: ids[9] });
  expect([last.has_more, last.data.map(({ id }) => id)]).toEqual([false, ids.slice(10)]);
  const created = first.data[0]?.created ?? 0;
  for (const [gte, count] of [
    [created + 60, 0],
    [created - 60, 12],
  ] as const) {
    const { data } = await stripe.paymentIntents.list({ created: { gte }, limit: 100 });
    expect(data).toHaveLength(count);
  }
  const unknown = stripe.paymentIntents.list({ starting_after: "pi_unknown" });
  expect(await errorOf(unknown)).toMatchObject({ statusCode: 400 });
});
