import { readFileSync } from "node:fs";
import path from "node:path";
import Stripe from "stripe";
import { STRIPE_API_VERSION } from "@/sandbox/cards/api-version";
import { TEST_CARDS } from "@/sandbox/cards/test-cards";
import { errorOf, expect, stripeFor, test } from "@/sandbox/cards/testing";

const eur = (amount: number) => ({ amount, currency: "eur" });

/** Reads a relation that was asked for in full. */
function whole<Item extends { id: string }>(value: string | Item | null | undefined): Item {
  if (typeof value !== "object" || value === null) throw new Error(`Not expanded: ${value}`);
  return value;
}

test("the pinned version is the one that the installed package describes", () => {
  expect(STRIPE_API_VERSION).toBe(Stripe.API_VERSION);
});

test.describe("a payment", () => {
  test("is created with requires_payment_method", async ({ stripe }) => {
    const intent = await stripe.paymentIntents.create({
      ...eur(4290),
      automatic_payment_methods: { enabled: true },
      metadata: { checkout: "17", clé: "été" },
      description: "Commande 17",
      receipt_email: "camille@exemple.fr",
      shipping: {
        name: "Camille Durand",
        address: { line1: "1 rue de la Paix", city: "Paris", postal_code: "75002", country: "FR" },
      },
    });
    expect(intent).toMatchObject({
      object: "payment_intent",
      amount: 4290,
      amount_received: 0,
      amount_capturable: 0,
      automatic_payment_methods: { allow_redirects: "always", enabled: true },
      currency: "eur",
      status: "requires_payment_method",
      livemode: false,
      metadata: { checkout: "17", clé: "été" },
      description: "Commande 17",
      receipt_email: "camille@exemple.fr",
      payment_method_types: ["card"],
      payment_method: null,
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      canceled_at: null,
      shipping: { name: "Camille Durand", address: { city: "Paris", line2: null } },
    });
    expect(intent.id).toMatch(/^pi_\w{24}$/);
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{25}$`));
    expect(Math.abs(intent.created - Date.now() / 1000)).toBeLessThan(5);
    expect(intent.lastResponse.requestId).toMatch(/^req_/);
    expect(intent.lastResponse.apiVersion).toBe(STRIPE_API_VERSION);
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
  });

  test("succeeds when it is confirmed, with a charge that shows the card", async ({ stripe }) => {
    const { id } = await stripe.paymentIntents.create({ ...eur(4290), metadata: { a: "b" } });
    const paid = await stripe.paymentIntents.confirm(id, {
      payment_method: "pm_card_visa",
      expand: ["latest_charge", "payment_method"],
    });
    expect(paid).toMatchObject({ status: "succeeded", amount_received: 4290 });
    const charge = whole(paid.latest_charge);
    expect(charge).toMatchObject({
      object: "charge",
      amount: 4290,
      amount_captured: 4290,
      amount_refunded: 0,
      captured: true,
      currency: "eur",
      paid: true,
      status: "succeeded",
      refunded: false,
      failure_code: null,
      metadata: { a: "b" },
      payment_intent: id,
      outcome: { type: "authorized", network_status: "approved_by_network" },
      payment_method_details: { type: "card", card: { brand: "visa", last4: "4242" } },
    });
    const method = whole(paid.payment_method);
    expect(method).toMatchObject({ object: "payment_method", type: "card", customer: null });
    expect(method.id).not.toBe("pm_card_visa");
    expect(charge.payment_method).toBe(method.id);
    expect(await stripe.charges.retrieve(charge.id)).toEqual(charge);
    expect(await stripe.paymentMethods.retrieve(method.id)).toEqual(method);
  });

  test("can be confirmed on creation, or with a payment method that was set before", async ({
    stripe,
  }) => {
    const atOnce = await stripe.paymentIntents.create({
      ...eur(1000),
      payment_method: "pm_card_mastercard",
      confirm: true,
    });
    expect(atOnce.status).toBe("succeeded");

    const method = await stripe.paymentMethods.create({
      type: "card",
      card: { number: "4242424242424242", exp_month: 12, exp_year: 2040, cvc: "123" },
      billing_details: { name: "Camille Durand", email: "camille@exemple.fr" },
    });
    expect(method).toMatchObject({
      billing_details: { name: "Camille Durand", email: "camille@exemple.fr", phone: null },
      card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2040, funding: "credit" },
    });
    const noted = await stripe.paymentIntents.create({ ...eur(1000), payment_method: method.id });
    expect(noted).toMatchObject({ status: "requires_confirmation", payment_method: method.id });
    expect(await stripe.paymentIntents.confirm(noted.id)).toMatchObject({
      status: "succeeded",
      payment_method: method.id,
    });

    const refused = await errorOf(stripe.paymentIntents.create({ ...eur(1000), confirm: true }));
    expect(refused).toMatchObject({ code: "parameter_missing", param: "payment_method" });
  });

  test("accepts payment_method_types from older API versions, and its new name from newer ones", async ({
    sandbox,
    stripe,
  }) => {
    const create = (headers: Record<string, string>, name: string) =>
      fetch(`${sandbox.url}/v1/payment_intents`, {
        method: "POST",
        headers: { Authorization: "Bearer sk_test_1", ...headers },
        body: new URLSearchParams({ amount: "100", currency: "eur", [`${name}[]`]: "card" }),
      });
    const old = { "Stripe-Version": "2025-03-31.basil" };
    const current = { "Stripe-Version": STRIPE_API_VERSION };
    expect((await create(old, "payment_method_types")).status).toBe(200);
    expect((await create({}, "payment_method_types")).status).toBe(200);
    const refused = await create(current, "payment_method_types");
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: "parameter_unknown" } });
    expect((await create(current, "allowed_payment_method_types")).status).toBe(200);
    const wrong = await create({ "Stripe-Version": "latest" }, "allowed_payment_method_types");
    expect(wrong.status).toBe(400);
    const other = stripe.paymentIntents.create({
      ...eur(100),
      allowed_payment_method_types: ["klarna"],
    });
    expect(await errorOf(other)).toMatchObject({ param: "allowed_payment_method_types" });
  });
});

test.describe("amounts", () => {
  const refusals = [
    { amount: 49, currency: "eur", code: "amount_too_small", param: "amount" },
    { amount: 29, currency: "gbp", code: "amount_too_small", param: "amount" },
    { amount: 100_000_000, currency: "eur", code: "amount_too_large", param: "amount" },
    { amount: 0, currency: "eur", code: "parameter_invalid_integer", param: "amount" },
    { amount: -500, currency: "eur", code: "parameter_invalid_integer", param: "amount" },
    { amount: 12.5, currency: "eur", code: "parameter_invalid_integer", param: "amount" },
    { amount: Number.NaN, currency: "eur", code: "parameter_invalid_integer", param: "amount" },
    { amount: 500, currency: "zzz", code: undefined, param: "currency" },
  ];
  for (const { code, param, ...money } of refusals)
    test(`${money.amount} ${money.currency} is refused`, async ({ stripe, control }) => {
      const error = await errorOf(stripe.paymentIntents.create(money));
      expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
      expect(error).toMatchObject({ statusCode: 400, rawType: "invalid_request_error", param });
      expect(error.code).toBe(code);
      expect((await control.summary()).payments).toEqual([]);
    });

  for (const money of [
    { amount: 50, currency: "eur" },
    { amount: 99_999_999, currency: "eur" },
    { amount: 30, currency: "gbp" },
    { amount: 50, currency: "EUR" },
  ])
    test(`${money.amount} ${money.currency} is accepted`, async ({ stripe }) => {
      const intent = await stripe.paymentIntents.create(money);
      expect(intent.currency).toBe(money.currency.toLowerCase());
    });

  test("the minimum amount is in the French message", async ({ stripe }) => {
    const error = await errorOf(stripe.paymentIntents.create(eur(10)));
    expect(error.message).toBe("Le montant doit être d'au moins 0,50\u00a0€.");
  });
});

test.describe("an update", () => {
  test("sets the amount and merges metadata", async ({ stripe }) => {
    const { id } = await stripe.paymentIntents.create({
      ...eur(1000),
      metadata: { a: "1", b: "2", c: "3" },
    });
    const updated = await stripe.paymentIntents.update(id, {
      amount: 2500,
      description: "Panier",
      metadata: { b: "20", c: "" },
    });
    expect(updated).toMatchObject({
      amount: 2500,
      description: "Panier",
      status: "requires_payment_method",
    });
    expect(updated.metadata).toEqual({ a: "1", b: "20" });
    const emptied = await stripe.paymentIntents.update(id, { metadata: "" });
    expect(emptied.metadata).toEqual({});
    const small = await errorOf(stripe.paymentIntents.update(id, { amount: 5 }));
    expect(small.code).toBe("amount_too_small");
    const paid = await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
    expect(paid.amount_received).toBe(2500);
  });

  test("clears the last error, and an authentication of another amount", async ({ stripe }) => {
    const { id } = await stripe.paymentIntents.create(eur(1000));
    await errorOf(stripe.paymentIntents.confirm(id, { payment_method: "pm_card_chargeDeclined" }));
    const declined = await stripe.paymentIntents.retrieve(id);
    expect(declined.last_payment_error?.code).toBe("card_declined");
    const updated = await stripe.paymentIntents.update(id, { metadata: { a: "b" } });
    expect(updated.last_payment_error).toBeNull();

    const waiting = await stripe.paymentIntents.confirm(id, {
      payment_method: "pm_card_authenticationRequired",
    });
    expect(waiting.status).toBe("requires_action");
    const noted = await stripe.paymentIntents.update(id, { metadata: { c: "d" } });
    expect(noted.status).toBe("requires_action");
    const dearer = await stripe.paymentIntents.update(id, { amount: 1200 });
    expect(dearer).toMatchObject({ status: "requires_confirmation", next_action: null });
  });

  test("of amount or card is refused once it is paid or canceled, of metadata it is not", async ({
    stripe,
  }) => {
    const paid = await stripe.paymentIntents.create({
      ...eur(1000),
      payment_method: "pm_card_visa",
      confirm: true,
    });
    const canceled = await stripe.paymentIntents.create(eur(1000));
    await stripe.paymentIntents.cancel(canceled.id);
    for (const { id, status } of [paid, { ...canceled, status: "canceled" }]) {
      for (const params of [
        { amount: 2000 },
        { currency: "usd" },
        { payment_method: "pm_card_visa" },
      ]) {
        const error = await errorOf(stripe.paymentIntents.update(id, params));
        expect(error).toMatchObject({
          statusCode: 400,
          code: "payment_intent_unexpected_state",
          payment_intent: { id, status, amount: 1000 },
        });
      }
      const noted = await stripe.paymentIntents.update(id, { metadata: { order: "9" } });
      expect(noted).toMatchObject({ status, amount: 1000, metadata: { order: "9" } });
    }
  });
});

test.describe("states", () => {
  test("a payment cannot be confirmed without a card, twice, or after it was canceled", async ({
    stripe,
    control,
  }) => {
    const { id } = await stripe.paymentIntents.create(eur(1000));
    const state = { statusCode: 400, code: "payment_intent_unexpected_state" };
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
    expect((await control.summary()).totals).toMatchObject({ eur: { taken: 1000, payments: 1 } });
  });

  test("an open payment can be canceled, a paid one not", async ({ stripe }) => {
    const open = await stripe.paymentIntents.create(eur(1000));
    const canceled = await stripe.paymentIntents.cancel(open.id, {
      cancellation_reason: "abandoned",
    });
    expect(canceled).toMatchObject({ status: "canceled", cancellation_reason: "abandoned" });
    expect(canceled.canceled_at).toBeGreaterThanOrEqual(canceled.created);
    const waiting = await stripe.paymentIntents.create({
      ...eur(1000),
      payment_method: "pm_card_authenticationRequired",
      confirm: true,
    });
    expect(await stripe.paymentIntents.cancel(waiting.id)).toMatchObject({
      status: "canceled",
      next_action: null,
      cancellation_reason: null,
    });
    const paid = await stripe.paymentIntents.create({
      ...eur(1000),
      payment_method: "pm_card_visa",
      confirm: true,
    });
    for (const id of [paid.id, open.id])
      expect(await errorOf(stripe.paymentIntents.cancel(id))).toMatchObject({
        code: "payment_intent_unexpected_state",
      });
    const reason = { cancellation_reason: "ennui" };
    expect(await errorOf(stripe.paymentIntents.cancel(paid.id, reason))).toMatchObject({
      param: "cancellation_reason",
    });
  });

  test("no payment intent can be captured", async ({ stripe }) => {
    const { id } = await stripe.paymentIntents.create(eur(1000));
    expect(await errorOf(stripe.paymentIntents.capture(id))).toMatchObject({
      code: "payment_intent_unexpected_state",
    });
    const manual = stripe.paymentIntents.create({ ...eur(1000), capture_method: "manual" });
    expect(await errorOf(manual)).toMatchObject({ param: "capture_method" });
  });
});

test.describe("test cards", () => {
  const refused = "Votre carte a été refusée.";
  const funds = "Votre carte ne dispose pas de fonds suffisants.";
  /** Number, ready-made payment methods, code, decline code, message: as Stripe documents them. */
  const declines: [string, string[], string, string | undefined, string][] = [
    [
      "4000000000000002",
      ["pm_card_visa_chargeDeclined", "pm_card_chargeDeclined"],
      "card_declined",
      "generic_decline",
      refused,
    ],
    [
      "4000000000009995",
      ["pm_card_visa_chargeDeclinedInsufficientFunds", "pm_card_chargeDeclinedInsufficientFunds"],
      "card_declined",
      "insufficient_funds",
      funds,
    ],
    [
      "4000000000009987",
      ["pm_card_visa_chargeDeclinedLostCard"],
      "card_declined",
      "lost_card",
      refused,
    ],
    [
      "4000000000009979",
      ["pm_card_visa_chargeDeclinedStolenCard"],
      "card_declined",
      "stolen_card",
      refused,
    ],
    [
      "4000000000006975",
      ["pm_card_visa_chargeDeclinedVelocityLimitExceeded"],
      "card_declined",
      "card_velocity_exceeded",
      "Votre carte a été refusée en raison de tentatives répétées trop fréquentes ou d'un montant limite dépassé.",
    ],
    ["4100000000000019", ["pm_card_radarBlock"], "card_declined", "fraudulent", refused],
    [
      "4000000000000341",
      ["pm_card_chargeCustomerFail"],
      "card_declined",
      "generic_decline",
      refused,
    ],
    [
      "4000000000000069",
      ["pm_card_chargeDeclinedExpiredCard"],
      "expired_card",
      undefined,
      "Votre carte a expiré.",
    ],
    [
      "4000000000000127",
      ["pm_card_chargeDeclinedIncorrectCvc"],
      "incorrect_cvc",
      undefined,
      "Le code de sécurité de votre carte est incorrect.",
    ],
    [
      "4000000000000119",
      ["pm_card_chargeDeclinedProcessingError"],
      "processing_error",
      undefined,
      "Une erreur s'est produite lors du traitement de votre carte. Réessayez dans un instant.",
    ],
  ];
  for (const [number, aliases, code, declineCode, message] of declines)
    test(`${number} is declined: ${declineCode ?? code}`, async ({ stripe, control }) => {
      const card = { number, exp_month: 1, exp_year: 2040, cvc: "123" };
      const { id } = await stripe.paymentIntents.create(eur(1000));
      const attempts: Stripe.PaymentIntentConfirmParams[] = [
        { payment_method: (await stripe.paymentMethods.create({ type: "card", card })).id },
        ...aliases.map((alias) => ({ payment_method: alias })),
      ];
      for (const attempt of attempts) {
        const error = await errorOf(stripe.paymentIntents.confirm(id, attempt));
        expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
        expect(error).toMatchObject({ statusCode: 402, rawType: "card_error", code, message });
        expect(error.decline_code || undefined).toBe(declineCode);
        expect(error.doc_url).toContain(code.replaceAll("_", "-"));
        const intent = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
        expect(intent).toMatchObject({
          status: "requires_payment_method",
          payment_method: null,
          amount_received: 0,
          last_payment_error: {
            type: "card_error",
            code,
            message,
            payment_method: { card: { last4: number.slice(-4) } },
          },
        });
        expect(intent.last_payment_error?.decline_code).toBe(declineCode);
        expect(whole(intent.latest_charge)).toMatchObject({
          id: error.charge,
          status: "failed",
          paid: false,
          captured: false,
          amount_captured: 0,
          failure_code: code,
          failure_message: message,
        });
        expect(error.payment_intent).toMatchObject({ id, status: "requires_payment_method" });
      }
      // It can still be paid with another card.
      const paid = await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
      expect(paid).toMatchObject({ status: "succeeded", last_payment_error: null });
      expect((await control.summary()).totals).toMatchObject({ eur: { taken: 1000, payments: 1 } });
    });

  const accepted: [string, string, string, string][] = [
    ["4242424242424242", "pm_card_visa", "visa", "credit"],
    ["4000056655665556", "pm_card_visa_debit", "visa", "debit"],
    ["5555555555554444", "pm_card_mastercard", "mastercard", "credit"],
    ["5200828282828210", "pm_card_mastercard_debit", "mastercard", "debit"],
    ["5105105105105100", "pm_card_mastercard_prepaid", "mastercard", "prepaid"],
    ["378282246310005", "pm_card_amex", "amex", "credit"],
    ["6011111111111117", "pm_card_discover", "discover", "credit"],
    ["3056930009020004", "pm_card_diners", "diners", "credit"],
    ["3566002020360505", "pm_card_jcb", "jcb", "credit"],
    ["6200000000000005", "pm_card_unionpay", "unionpay", "credit"],
    ["4000002500000003", "pm_card_fr", "visa", "credit"],
  ];
  for (const [number, alias, brand, funding] of accepted)
    test(`${number} pays`, async ({ stripe }) => {
      const cvc = brand === "amex" ? "1234" : "123";
      const card = { number, exp_month: 1, exp_year: 2040, cvc };
      const method = await stripe.paymentMethods.create({ type: "card", card });
      for (const payment_method of [method.id, alias]) {
        const paid = await stripe.paymentIntents.create({
          ...eur(700),
          payment_method,
          confirm: true,
          expand: ["latest_charge"],
        });
        expect(paid.status).toBe("succeeded");
        expect(whole(paid.latest_charge).payment_method_details?.card).toMatchObject({
          brand,
          funding,
          last4: number.slice(-4),
        });
      }
    });

  test("every test card has a valid number and unique names", async ({ stripe }) => {
    const aliases = TEST_CARDS.flatMap((card) => card.aliases);
    expect(new Set(aliases).size).toBe(aliases.length);
    expect(new Set(TEST_CARDS.map((card) => card.number)).size).toBe(TEST_CARDS.length);
    for (const { number, brand } of TEST_CARDS) {
      const card = { number, exp_month: 1, exp_year: 2040, cvc: brand === "amex" ? "1234" : "123" };
      const method = await stripe.paymentMethods.create({ type: "card", card });
      expect(method.card?.last4).toBe(number.slice(-4));
    }
  });

  test("a card token becomes a payment method", async ({ stripe }) => {
    const method = await stripe.paymentMethods.create({
      type: "card",
      card: { token: "tok_visa" },
    });
    expect(method.card).toMatchObject({ last4: "4242" });
    for (const token of ["tok_unknown", "pm_card_visa"]) {
      const error = await errorOf(stripe.paymentMethods.create({ type: "card", card: { token } }));
      expect(error).toMatchObject({ code: "resource_missing", param: "card[token]" });
    }
  });

  const good = { number: "4242424242424242", exp_month: 12, exp_year: 2040, cvc: "123" };
  const faulty = [
    { card: { number: "4242424242424241" }, code: "incorrect_number", param: "card[number]" },
    { card: { number: "42" }, code: "invalid_number", param: "card[number]" },
    { card: { exp_month: 13 }, code: "invalid_expiry_month", param: "card[exp_month]" },
    { card: { exp_month: 0 }, code: "invalid_expiry_month", param: "card[exp_month]" },
    { card: { exp_year: 2020 }, code: "invalid_expiry_year", param: "card[exp_year]" },
    { card: { exp_year: 20 }, code: "invalid_expiry_year", param: "card[exp_year]" },
    { card: { exp_year: 2140 }, code: "invalid_expiry_year", param: "card[exp_year]" },
    { card: { cvc: "12" }, code: "invalid_cvc", param: "card[cvc]" },
    { card: { cvc: "1234" }, code: "invalid_cvc", param: "card[cvc]" },
  ];
  for (const { card, code, param } of faulty)
    test(`card data is refused: ${JSON.stringify(card)}`, async ({ stripe }) => {
      const create = stripe.paymentMethods.create({ type: "card", card: { ...good, ...card } });
      const error = await errorOf(create);
      expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
      expect(error).toMatchObject({ statusCode: 402, code, param });
    });

  test("a card of last month is expired, one of this month is not", async ({ stripe }) => {
    const now = new Date();
    const past = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15));
    const card = (date: Date) => ({
      ...good,
      exp_month: date.getUTCMonth() + 1,
      exp_year: date.getUTCFullYear(),
    });
    const error = await errorOf(stripe.paymentMethods.create({ type: "card", card: card(past) }));
    expect(error.code).toMatch(/^invalid_expiry_(month|year)$/);
    await stripe.paymentMethods.create({ type: "card", card: card(now) });
  });

  test("a real card is refused; no number and no CVC is stored, not even of test cards", async ({
    stripe,
    folder,
  }) => {
    const card = { ...good, number: "4111111111111111", cvc: "987" };
    const error = await errorOf(stripe.paymentMethods.create({ type: "card", card }));
    await stripe.paymentIntents.create({
      ...eur(1000),
      payment_method_data: { type: "card", card: { ...good, cvc: "987" } },
      confirm: true,
    } as Stripe.PaymentIntentCreateParams);
    const kept = readFileSync(path.join(folder, "cards.jsonl"), "utf8");
    expect(kept).toContain("payment_intent.succeeded");
    for (const secret of [card.number, good.number, '"987"']) expect(kept).not.toContain(secret);
    expect(error).toMatchObject({ code: "card_declined", decline_code: "test_mode_live_card" });
    expect(error.message).toContain("Votre carte a été refusée.");
  });
});

test.describe("authentication", () => {
  for (const alias of [
    "pm_card_authenticationRequired",
    "pm_card_authenticationRequiredOnSetup",
    "pm_card_threeDSecure2Required",
  ])
    test(`${alias} requires authentication`, async ({ stripe, control }) => {
      const { id } = await stripe.paymentIntents.create(eur(1000));
      const waiting = await stripe.paymentIntents.confirm(id, { payment_method: alias });
      expect(waiting).toMatchObject({
        status: "requires_action",
        amount_received: 0,
        next_action: {
          type: "use_stripe_sdk",
          use_stripe_sdk: {
            type: "stripe_3ds2_fingerprint",
            authentication_path: "/v1/3ds2/authenticate",
          },
        },
      });
      expect((await control.summary()).totals).toEqual({});
    });

  test("such a card is declined off session", async ({ stripe }) => {
    for (const without of [{ off_session: true }, { error_on_requires_action: true }]) {
      const attempt = stripe.paymentIntents.create({
        ...eur(1000),
        payment_method: "pm_card_authenticationRequired",
        confirm: true,
        ...without,
      });
      expect(await errorOf(attempt)).toMatchObject({
        statusCode: 402,
        code: "authentication_required",
        payment_intent: { status: "requires_payment_method" },
      });
    }
  });

  test("optional authentication is required only where the shop requests it", async ({
    stripe,
  }) => {
    const create = (request_three_d_secure: "any" | "automatic") =>
      stripe.paymentIntents.create({
        ...eur(1000),
        payment_method: "pm_card_threeDSecureOptional",
        payment_method_options: { card: { request_three_d_secure } },
        confirm: true,
      });
    expect((await create("automatic")).status).toBe("succeeded");
    expect((await create("any")).status).toBe("requires_action");
  });
});

test.describe("refunds", () => {
  async function pay(stripe: Stripe, amount = 1000): Promise<Stripe.PaymentIntent> {
    return stripe.paymentIntents.create({
      ...eur(amount),
      payment_method: "pm_card_visa",
      confirm: true,
    });
  }

  test("partially, until nothing is left", async ({ stripe, control }) => {
    const { id } = await pay(stripe);
    const first = await stripe.refunds.create({
      payment_intent: id,
      amount: 400,
      reason: "requested_by_customer",
      metadata: { why: "abîmé" },
    });
    expect(first).toMatchObject({
      object: "refund",
      amount: 400,
      currency: "eur",
      status: "succeeded",
      payment_intent: id,
      reason: "requested_by_customer",
      metadata: { why: "abîmé" },
    });
    const after = await stripe.paymentIntents.retrieve(id, {
      expand: ["latest_charge.refunds"],
    });
    expect(after.status).toBe("succeeded");
    expect(whole(after.latest_charge)).toMatchObject({
      amount_refunded: 400,
      refunded: false,
      refunds: { object: "list", data: [{ id: first.id }] },
    });
    const over = stripe.refunds.create({ payment_intent: id, amount: 601 });
    expect(await errorOf(over)).toMatchObject({ statusCode: 400, param: "amount" });
    const rest = await stripe.refunds.create({
      payment_intent: id,
      expand: ["charge", "payment_intent"],
    });
    expect(rest.amount).toBe(600);
    expect(whole(rest.charge)).toMatchObject({ amount_refunded: 1000, refunded: true });
    expect(whole(rest.payment_intent).id).toBe(id);
    const again = await errorOf(stripe.refunds.create({ payment_intent: id }));
    expect(again).toMatchObject({ statusCode: 400, code: "charge_already_refunded" });
    expect(await stripe.refunds.retrieve(first.id)).toEqual(first);
    const list = await stripe.refunds.list({ payment_intent: id });
    expect(list.data.map((refund) => refund.amount)).toEqual([600, 400]);
    expect((await control.summary()).totals).toEqual({
      eur: { taken: 1000, refunded: 1000, net: 0, payments: 1, refunds: 2 },
    });
  });

  test("by charge; a refund of nothing, or of an unpaid or unknown payment, is refused", async ({
    stripe,
  }) => {
    const { latest_charge } = await pay(stripe);
    const refund = await stripe.refunds.create({ charge: String(latest_charge) });
    expect(refund).toMatchObject({ amount: 1000, charge: latest_charge });
    const open = await stripe.paymentIntents.create(eur(1000));
    await errorOf(
      stripe.paymentIntents.confirm(open.id, { payment_method: "pm_card_chargeDeclined" }),
    );
    expect(await errorOf(stripe.refunds.create({ payment_intent: open.id }))).toMatchObject({
      statusCode: 400,
    });
    const unknown = await errorOf(stripe.refunds.create({ payment_intent: "pi_unknown" }));
    expect(unknown).toMatchObject({ code: "resource_missing", param: "payment_intent" });
    expect(await errorOf(stripe.refunds.create({}))).toMatchObject({ code: "parameter_missing" });
    const { id } = await pay(stripe);
    for (const amount of [0, -5])
      expect(await errorOf(stripe.refunds.create({ payment_intent: id, amount }))).toMatchObject({
        code: "parameter_invalid_integer",
        param: "amount",
      });
  });
});

test.describe("errors", () => {
  test("what does not exist is 404", async ({ stripe, sandbox }) => {
    const calls: [Promise<unknown>, string][] = [
      [stripe.paymentIntents.retrieve("pi_unknown"), "intent"],
      [stripe.paymentIntents.confirm("pi_unknown"), "intent"],
      [stripe.paymentIntents.cancel("pi_unknown"), "intent"],
      [stripe.charges.retrieve("ch_unknown"), "id"],
      [stripe.refunds.retrieve("re_unknown"), "id"],
      [stripe.events.retrieve("evt_unknown"), "id"],
      [stripe.paymentIntents.retrieve("pi_é/../x"), "intent"],
    ];
    for (const [call, param] of calls)
      expect(await errorOf(call)).toMatchObject({
        statusCode: 404,
        type: "StripeInvalidRequestError",
        code: "resource_missing",
        param,
      });
    for (const path of ["/v1/customers", "/v1", "/v1/payment_intents/pi_1/nothing", "/v1/%zz"]) {
      const answer = await fetch(`${sandbox.url}${path}`, {
        headers: { Authorization: "Bearer sk_test_1" },
      });
      expect(answer.status).toBe(404);
    }
  });

  test("unknown and malformed parameters are named", async ({ stripe, sandbox }) => {
    const post = async (path: string, body: string) => {
      const answer = await fetch(`${sandbox.url}/v1/${path}`, {
        method: "POST",
        headers: {
          Authorization: "Bearer sk_test_1",
          "Content-Type": "application/x-www-form-urlencoded",
        },
        body,
      });
      expect(answer.status).toBe(400);
      return ((await answer.json()) as { error: Record<string, string> }).error;
    };
    const cases: [string, string, string, string | undefined][] = [
      ["payment_intents", "currency=eur", "amount", "parameter_missing"],
      ["payment_intents", "amount=100", "currency", "parameter_missing"],
      ["payment_intents", "amount=&currency=eur", "amount", "parameter_invalid_empty"],
      ["payment_intents", "amount[a]=1&currency=eur", "amount", undefined],
      ["payment_intents", "amount=100&currency=eur&colour=red", "colour", "parameter_unknown"],
      [
        "payment_intents",
        "amount=100&currency=eur&automatic_payment_methods[on]=1",
        "automatic_payment_methods[on]",
        "parameter_unknown",
      ],
      ["payment_intents", "amount=100&currency=eur&metadata=x", "metadata", undefined],
      [
        "payment_intents",
        `amount=100&currency=eur&metadata[${"k".repeat(41)}]=x`,
        `metadata[${"k".repeat(41)}]`,
        undefined,
      ],
      [
        "payment_intents",
        `amount=100&currency=eur&metadata[k]=${"x".repeat(501)}`,
        "metadata[k]",
        undefined,
      ],
      [
        "payment_intents",
        `amount=100&currency=eur&${Array.from({ length: 51 }, (_, i) => `metadata[k${i}]=x`).join("&")}`,
        "metadata",
        undefined,
      ],
      ["payment_intents", "amount=100&currency=eur&confirm=yes", "confirm", undefined],
      [
        "payment_intents",
        "amount=100&currency=eur&receipt_email=camille",
        "receipt_email",
        "email_invalid",
      ],
      ["payment_intents", "amount=100&currency=eur&customer=cus_1", "customer", "resource_missing"],
      [
        "payment_intents",
        "amount=100&currency=eur&payment_method=pm_unknown",
        "payment_method",
        "resource_missing",
      ],
      ["payment_intents", "amount=100&currency=eur&expand[]=colour", "expand", undefined],
      ["payment_methods", "type=card", "card", "parameter_missing"],
      ["payment_methods", "type=sepa_debit", "type", undefined],
      ["refunds", "payment_intent=pi_1&charge=ch_1", "charge", "parameters_exclusive"],
    ];
    for (const [path, body, param, code] of cases) {
      const error = await post(path, body);
      expect(error, body).toMatchObject({ type: "invalid_request_error", param });
      expect(error.code, body).toBe(code);
    }
    expect((await stripe.paymentIntents.list()).data).toEqual([]);
  });

  test("a body that is no form, or too large, is refused", async ({ sandbox }) => {
    const post = (type: string, body: string) =>
      fetch(`${sandbox.url}/v1/payment_intents`, {
        method: "POST",
        headers: { Authorization: "Bearer sk_test_1", "Content-Type": type },
        body,
      });
    expect((await post("application/json", '{"amount":100}')).status).toBe(400);
    const large = await post("application/x-www-form-urlencoded", `a=${"x".repeat(300_000)}`);
    expect(large.status).toBe(413);
  });

  test("any test key is accepted, everything else is 401", async ({ sandbox }) => {
    for (const apiKey of ["sk_test_1", "sk_test_abcDEF123", "rk_test_1"])
      await stripeFor(sandbox.url, { apiKey }).paymentIntents.list();
    for (const apiKey of ["sk_live_1", "sk_test_", "sk_test_a-b", "key"]) {
      const error = await errorOf(stripeFor(sandbox.url, { apiKey }).paymentIntents.list());
      expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
      expect(error).toMatchObject({ statusCode: 401, rawType: "invalid_request_error" });
    }
    const bare = await fetch(`${sandbox.url}/v1/payment_intents`);
    expect(bare.status).toBe(401);
    expect(bare.headers.get("www-authenticate")).toContain("Bearer");
    expect(bare.headers.get("request-id")).toMatch(/^req_/);
    const asUser = await fetch(`${sandbox.url}/v1/payment_intents`, {
      headers: { Authorization: `Basic ${btoa("sk_test_1:")}` },
    });
    expect(asUser.status).toBe(200);
  });
});

test.describe("lists", () => {
  test("are paged by cursor, newest first, and Stripe's package iterates over them", async ({
    stripe,
  }) => {
    const ids: string[] = [];
    for (let i = 0; i < 25; i += 1)
      ids.unshift((await stripe.paymentIntents.create(eur(100 + i))).id);
    const first = await stripe.paymentIntents.list();
    expect(first).toMatchObject({ object: "list", has_more: true, url: "/v1/payment_intents" });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    const walked: string[] = [];
    for await (const { id } of stripe.paymentIntents.list({ limit: 7 })) walked.push(id);
    expect(walked).toEqual(ids);
    const last = await stripe.paymentIntents.list({ limit: 10, starting_after: ids[19] });
    expect(last.has_more).toBe(false);
    expect(last.data.map(({ id }) => id)).toEqual(ids.slice(20));
    const back = await stripe.paymentIntents.list({ limit: 5, ending_before: ids[12] });
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(7, 12));
    expect(back.has_more).toBe(true);
    const created = first.data[0]?.created ?? 0;
    const later = await stripe.paymentIntents.list({ created: { gt: created + 60 } });
    expect(later.data).toEqual([]);
    const within = await stripe.paymentIntents.list({ created: { gte: created - 60 }, limit: 100 });
    expect(within.data).toHaveLength(25);
    for (const params of [{ limit: 0 }, { limit: 101 }, { starting_after: "pi_unknown" }])
      expect(await errorOf(stripe.paymentIntents.list(params))).toMatchObject({ statusCode: 400 });
  });

  test("can expand relations", async ({ stripe }) => {
    for (const payment_method of ["pm_card_visa", "pm_card_mastercard"])
      await stripe.paymentIntents.create({ ...eur(100), payment_method, confirm: true });
    const { data } = await stripe.paymentIntents.list({ expand: ["data.latest_charge"] });
    expect(
      data.map((intent) => whole(intent.latest_charge).payment_method_details?.card?.brand),
    ).toEqual(["mastercard", "visa"]);
    const charges = await stripe.charges.list({ payment_intent: data[1]?.id });
    expect(charges.data.map(({ id }) => id)).toEqual([whole(data[1]?.latest_charge).id]);
  });
});
