import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { checkouts, paymentClosures } from "@/db/schema/checkout";
import type { CallFault, WebhookFault } from "@/sandbox/cards/faults";
import type { Api } from "../api-client";
import { expectBalance } from "../balance";
import {
  addToCart,
  confirm,
  createBuyerWithCart,
  openPayment,
  ordersOf,
  payCart,
  payCartUnheard,
  requestPayment,
} from "../buying";
import { type Cards, expectDelivered, paymentIdOf } from "../cards";
import { expect, test as shopTest } from "../fixtures";
import type { ShopEnv } from "../shop-process";

// Faults of the payment provider. After each of them the customer can try again and pays once, and in the
// end the books of the shop and the provider agree.

/** More than the retries of the shop and of Stripe's package. */
const PERSISTENT = 6;

// Broken connections, cut and slow responses are drawn in checkout-random.spec.ts.
const CALL_FAULTS: Record<string, Partial<CallFault>> = {
  "an error once": { effect: "fail", when: "before", status: 500 },
  "an error saved under its idempotency key": {
    effect: "fail",
    when: "before",
    status: 500,
    isRemembered: true,
  },
  "errors for a while": { effect: "fail", when: "before", status: 503, times: PERSISTENT },
  "an error after the work": { effect: "fail", when: "after", status: 503, times: PERSISTENT },
  "a connection that breaks after the work": { effect: "drop", when: "after", times: PERSISTENT },
};

interface Setting {
  api: Api;
  db: Database;
  cards: Cards;
  shopEnv: ShopEnv;
}

/** Settles everything that is due. */
const settle = ({ api, shopEnv }: Setting) =>
  api.post<{ completed: number }>("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });

/** A customer with a product of 42,90 € in the cart, and the steps of the purchase. */
async function createShopper(setting: Setting) {
  const { api, db, cards } = setting;
  const { buyer, product } = await createBuyerWithCart({ api, db });
  const own = { api, buyer };
  const closure = async (secret: string) => {
    const isClosure = eq(paymentClosures.paymentIntentId, paymentIdOf(secret));
    return (await db.select().from(paymentClosures).where(isClosure))[0];
  };
  return {
    buyer,
    add: () => addToCart({ ...own, productId: product.id }),
    request: () => requestPayment(own),
    open: () => openPayment(own),
    pay: () => payCart({ ...own, cards }),
    payUnheard: () => payCartUnheard({ ...own, cards }),
    confirm: (secret: string) => confirm({ ...own, secret }),
    erase: () => api.delete("/api/account/delete/hard", { token: buyer.token }),
    orders: () => ordersOf(db, buyer.id),
    closure,
    /** Waits until the reversal of a payment has this outcome. */
    expectOutcome: (secret: string, outcome: "cancelled" | "refunded") =>
      expect
        .poll(async () => {
          await settle(setting);
          return (await closure(secret))?.outcome;
        })
        .toBe(outcome),
    expectAllRefunded: async (secret: string) => {
      const { payments } = await cards.books();
      const payment = payments.find(({ id }) => id === paymentIdOf(secret));
      expect(payment).toMatchObject({ taken: 4290, refunded: 4290 });
    },
  };
}

const test = shopTest.extend<{
  setting: Setting;
  shopper: Awaited<ReturnType<typeof createShopper>>;
}>({
  setting: async ({ api, database: db, cards, shopEnv }, use) => use({ api, db, cards, shopEnv }),
  shopper: async ({ setting }, use) => use(await createShopper(setting)),
});

test.beforeEach(({ cards }) => cards.clearFaults());
test.afterEach(async ({ database, cards }, { title }) => {
  await expectBalance({ database, cards, title });
});

for (const [title, fault] of Object.entries(CALL_FAULTS)) {
  test(`opening a payment meets ${title}, and so does cancelling it`, async ({
    cards,
    shopper,
  }) => {
    const requestDuring = async (call: string) => {
      await cards.fault({ ...fault, call });
      const { status, headers, json } = await shopper.request();
      await cards.clearFaults();
      if (status === 200) return json.clientSecret;
      expect([status, json.error, headers["retry-after"]]).toEqual([
        503,
        "Le service de paiement est momentanément indisponible. Réessayez dans un instant.",
        "5",
      ]);
      return null;
    };
    const first = await requestDuring("payment_intents.create");
    const former = await shopper.open();
    if (first !== null) expect(first).toBe(former);
    await shopper.add();
    await requestDuring("payment_intents.cancel");
    const secret = await shopper.open();
    expect(secret).not.toBe(former);
    expect((await cards.pay(former)).status).toBe(400);
    await cards.pay(secret);
    expect([200, 201]).toContain((await shopper.confirm(secret)).status);
    expect(await shopper.orders()).toMatchObject([{ totalCents: 8580 }]);
  });

  // Reading a payment has no work that is done although its answer is lost.
  if (!("isRemembered" in fault) && !("when" in fault && fault.when === "after"))
    test(`confirming an order meets ${title}`, async ({ cards, shopper }) => {
      const secret = await shopper.payUnheard();
      await cards.fault({ ...fault, call: "payment_intents.retrieve" });
      const first = await shopper.confirm(secret);
      await cards.clearFaults();
      expect([201, 503]).toContain(first.status);
      const again = await shopper.confirm(secret);
      expect(again.status).toBe(first.status === 201 ? 200 : 201);
      expect(await shopper.orders()).toHaveLength(1);
    });

  test(`refunding meets ${title}`, async ({ cards, setting, shopper }) => {
    const secret = await shopper.payUnheard();
    await shopper.erase();
    await cards.fault({ ...fault, call: "refunds.create" });
    await settle(setting);
    await cards.clearFaults();
    await shopper.expectOutcome(secret, "refunded");
    await shopper.expectAllRefunded(secret);
  });
}

test("a payment is refunded although its buyer's sealed address cannot be opened any more", async ({
  cards,
  setting,
  shopper,
}) => {
  const secret = await shopper.payUnheard();
  await shopper.erase();
  await cards.fault({ call: "refunds.create", effect: "fail", when: "before", times: PERSISTENT });
  const look = async () => {
    await settle(setting);
    return shopper.closure(secret);
  };
  // The recipient is sealed with a secret that has been replaced since.
  await expect.poll(look).toMatchObject({ outcome: null, recipient: expect.any(String) });
  await setting.db
    .update(paymentClosures)
    .set({ recipient: "of another secret" })
    .where(eq(paymentClosures.paymentIntentId, paymentIdOf(secret)));
  await cards.clearFaults();
  await expect.poll(look).toMatchObject({ outcome: "refunded", recipient: null });
});

for (const { title, isErased } of [
  { title: "the account was erased", isErased: true },
  { title: "the checkout was given up", isErased: false },
])
  test(`a payment that the provider has denied once is refunded when it is paid after all: ${title}`, async ({
    cards,
    mailbox,
    setting,
    shopper,
  }) => {
    const secret = await shopper.open();
    await cards.fault({ call: "payment_intents.retrieve", effect: "deny", times: 1_000 });
    if (isErased) {
      await shopper.erase();
    } else {
      // The reconciler gives up the checkout, because its payment does not exist.
      await settle(setting);
      const paymentIntentId = paymentIdOf(secret);
      await setting.db.insert(paymentClosures).values({ paymentIntentId, reason: "cancelled" });
    }
    await shopper.expectOutcome(secret, "cancelled");

    await cards.clearFaults();
    expect((await cards.pay(secret)).status).toBe(200);
    await expectDelivered(cards);
    await shopper.expectOutcome(secret, "refunded");
    await shopper.expectAllRefunded(secret);
    expect(await shopper.closure(secret)).toMatchObject({ refundedCents: 4290, recipient: null });
    expect(await shopper.orders()).toEqual([]);
    if (!isErased)
      await mailbox.waitForMail({ to: shopper.buyer.email, subject: /est remboursé$/ });
  });

test("a payment that succeeds while its reversal gets a 404 is refunded", async ({
  cards,
  setting,
  shopper,
}) => {
  const secret = await shopper.open();
  await cards.fault(
    { call: "payment_intents.retrieve", effect: "delay", when: "before", milliseconds: 4_000 },
    { call: "payment_intents.retrieve", effect: "deny" },
  );
  // The first attempt waits for the answer that denies the payment.
  await shopper.erase();
  const first = settle(setting);
  await expect.poll(async () => cards.faults()).toEqual([]);
  expect((await cards.pay(secret)).status).toBe(200);
  await expectDelivered(cards);
  await first;
  await shopper.expectOutcome(secret, "refunded");
});

const WEBHOOK_FAULTS: Record<string, (Partial<CallFault> | Partial<WebhookFault>)[]> = {
  twice: [{ webhook: "payment_intent.*", effect: "twice", times: 4 }],
  late: [{ webhook: "payment_intent.succeeded", effect: "late", milliseconds: 700 }],
  "in the wrong order": [
    { webhook: "payment_intent.created", effect: "reordered", milliseconds: 2_000 },
    { webhook: "payment_intent.succeeded", effect: "reordered", milliseconds: 300 },
  ],
};

for (const [title, faults] of Object.entries(WEBHOOK_FAULTS))
  test(`the browser is closed after paying, and the provider's events arrive ${title}`, async ({
    cards,
    shopper,
  }) => {
    await cards.fault(...faults);
    await shopper.pay();
    await expect.poll(async () => (await shopper.orders()).length).toBe(1);
    await expectDelivered(cards);
    expect(await shopper.orders()).toHaveLength(1);
  });

test("a former payment of a checkout that is cancelled does not end the checkout", async ({
  cards,
  shopper,
}) => {
  const secret = await shopper.open();
  const { payments } = await cards.books();
  const metadata = payments.find(({ id }) => id === paymentIdOf(secret))?.metadata;
  // A payment that was opened a day ago, and whose response was lost.
  const { json: former } = await cards.call("payment_intents", {
    amount: "4290",
    currency: "eur",
    "metadata[checkout]": metadata?.checkout ?? "",
    "metadata[shop]": metadata?.shop ?? "",
  });
  await cards.call(`payment_intents/${former.id}/cancel`);
  await expectDelivered(cards);
  await cards.pay(secret);
  const { status, text } = await shopper.confirm(secret);
  expect([200, 201], text).toContain(status);
});

test("without events and with the browser closed, the reconciler completes the order", async ({
  setting,
  shopper,
}) => {
  await shopper.payUnheard();
  expect((await settle(setting)).json.completed).toBe(1);
  expect((await settle(setting)).json.completed).toBe(0);
  expect(await shopper.orders()).toHaveLength(1);
});

test("while the provider is down buyers get an error, and nothing is lost", async ({
  cards,
  setting,
}) => {
  const shoppers = await Promise.all(Array.from({ length: 5 }, () => createShopper(setting)));
  const ask = async () =>
    (await Promise.all(shoppers.map(({ request }) => request()))).map(({ status }) => status);
  await cards.fault({ call: "*", effect: "fail", when: "before", status: 503, times: 1_000 });
  expect(await ask()).toEqual(Array(5).fill(503));
  expect((await settle(setting)).status).toBe(200);
  await cards.clearFaults();
  expect(await ask()).toEqual(Array(5).fill(200));
  for (const { buyer } of shoppers) {
    const rows = await setting.db.select().from(checkouts).where(eq(checkouts.userId, buyer.id));
    expect(rows.filter(({ status }) => status === "pending")).toHaveLength(1);
  }
});
