import type { CallFault } from "@/sandbox/cards/faults";
import type { Api } from "../api-client";
import { expect } from "../fixtures";
import { type IsolatedShop, test } from "../isolated-shop";
import { buy, expectOneRefund, newKey, type PaidOrder, requestRefund, rowsOf } from "../refunding";

// The shop is killed at a step of a refund, or the provider fails. In the end there is one refund, one
// credit note and one mail. To hold the shop at a step, a test locks what the step needs.

// The tests start shops and kill them.
test.describe.configure({ timeout: 120_000 });

const STEPS: Record<string, string> = {
  "before it has done anything": "select from orders for update",
  "when it records the refund": "lock table refunds in exclusive mode",
  "when it records what staff did": "lock table audit_entries in exclusive mode",
  // After the provider has carried out the refund.
  "when it writes the credit note": "lock table credit_notes in exclusive mode",
  "when it writes the mail": "lock table mail_outbox in exclusive mode",
};

const UNHEARD = { webhook: "*", effect: "never", times: 20 } as const;

const amount = 12.5;

test("one refund is made although the shop is killed", async ({ isolatedShop }) => {
  const { database: db, cards } = isolatedShop;
  let api = await isolatedShop.start();
  for (const [step, lock] of Object.entries(STEPS))
    await test.step(step, async () => {
      await cards.clearFaults();
      const order = await buy({ api, db, cards });
      await cards.fault(UNHEARD);
      const key = newKey();
      await isolatedShop.withLock(lock, async () => {
        const lost = requestRefund({ api, order, key, amount }).catch((error: unknown) => error);
        await isolatedShop.waitForBlockedQuery();
        await isolatedShop.kill();
        expect(await lost).toBeInstanceOf(Error);
      });
      api = await isolatedShop.start();
      await isolatedShop.reconcile(api);
      // Staff try again while the scheduler runs.
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, () => requestRefund({ api, order, key, amount }))),
        isolatedShop.reconcile(api),
      ]);
      for (const answer of answers) expect(answer).toMatchObject({ status: 201 });
      await expectOneRefund({ db, cards, order, cents: 1250 });
    });
});

/** Expects that the scheduler settles the one refund. */
async function expectSettled(shop: IsolatedShop, { api, order }: { api: Api; order: PaidOrder }) {
  const { database: db, cards } = shop;
  const status = async () => {
    await shop.reconcile(api);
    return (await rowsOf(db, order.id)).refunds[0]?.status;
  };
  await expect.poll(status, { timeout: 30_000 }).toBe("succeeded");
  await expectOneRefund({ db, cards, order, cents: 1250 });
}

test("one refund is made although the shop is killed while the provider works", async ({
  isolatedShop,
}) => {
  const { database: db, cards } = isolatedShop;
  let api = await isolatedShop.start();
  for (const when of ["before", "after"] as const)
    await test.step(`${when} the provider has made it`, async () => {
      await cards.clearFaults();
      const order = await buy({ api, db, cards });
      const isSlow = { effect: "delay", when, milliseconds: 3_000 } as const;
      await cards.fault(UNHEARD, { call: "refunds.create", ...isSlow });
      const lost = requestRefund({ api, order, amount }).catch((error: unknown) => error);
      const waiting = async () => JSON.stringify(await cards.faults());
      await expect.poll(waiting, { intervals: [20] }).not.toContain("refunds.create");
      await isolatedShop.kill();
      expect(await lost).toBeInstanceOf(Error);
      api = await isolatedShop.start();
      await expectSettled(isolatedShop, { api, order });
    });
});

/** More than the retries of the shop and of Stripe's package. */
const PERSISTENT = 6;

const FAULTS: Record<string, Partial<CallFault>> = {
  "an error once": { effect: "fail", when: "before", status: 500 },
  "an error saved under its idempotency key": {
    effect: "fail",
    when: "before",
    status: 500,
    isRemembered: true,
  },
  "an error after the work": { effect: "fail", when: "after", status: 503, times: PERSISTENT },
  "errors for a while": { effect: "fail", when: "before", status: 503, times: PERSISTENT },
  "a denial": { effect: "deny" },
  "a broken connection": { effect: "drop", when: "before", times: PERSISTENT },
  "a connection that breaks after the work": { effect: "drop", when: "after", times: PERSISTENT },
  "half a response": { effect: "cut", times: PERSISTENT },
  "a slow response": { effect: "trickle", milliseconds: 400 },
  "a slow start": { effect: "delay", when: "before", milliseconds: 400 },
};

test("no fault of the provider makes a second refund", async ({ isolatedShop }) => {
  const { database: db, cards } = isolatedShop;
  const api = await isolatedShop.start();
  for (const [title, fault] of Object.entries(FAULTS)) {
    await test.step(title, async () => {
      const order = await buy({ api, db, cards });
      await cards.fault(UNHEARD, { ...fault, call: "refunds.create" });
      const key = newKey();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => requestRefund({ api, order, key, amount })),
      );
      for (const { status, text, json } of answers) {
        expect(status, text).toBe(201);
        expect(["pending", "succeeded"]).toContain(json.status);
      }
      await cards.clearFaults();
      await expectSettled(isolatedShop, { api, order });
      const { status, json } = await requestRefund({ api, order, key, amount });
      expect([status, json.status]).toEqual([201, "succeeded"]);
    });
  }
});

test("a refund that the provider refuses is marked as failed", async ({ isolatedShop }) => {
  const { database: db, cards } = isolatedShop;
  const api = await isolatedShop.start();
  const order = await buy({ api, db, cards });
  await cards.fault(UNHEARD);
  // The shop does not know of this refund yet.
  await cards.call("refunds", { payment_intent: order.paymentId, amount: "4000" });
  const refused = await requestRefund({ api, order, amount });
  expect(refused.json, refused.text).toMatchObject({ status: "failed", creditNoteNumber: null });
  expect(refused.json.failure).toContain("Le prestataire de paiement a refusé\u00a0: ");
  await isolatedShop.reconcile(api);
  const rest = await requestRefund({ api, order, amount: 2.9 });
  expect(rest.json).toMatchObject({ status: "succeeded" });
  const rows = await rowsOf(db, order.id);
  expect(rows.order?.refundedCents).toBe(4290);
  expect(rows.creditNotes.map(({ totalCents }) => totalCents).sort()).toEqual([290, 4000]);
});
