import { eq } from "drizzle-orm";
import { createShippingMethod } from "@/db/factories/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { vatByRate } from "@/lib/invoices/rules";
import { historyOf, linesOfCsv, sentencesOf } from "../admin";
import { expect, test } from "../fixtures";
import {
  buy,
  expectOneRefund,
  newKey,
  type PaidOrder,
  readRefunds,
  requestRefund,
  rowsOf,
} from "../refunding";
import { stockOf } from "../stock";

// Pieces that are refunded below their price: because of use or damage, or because a goodwill refund has
// left less.

test.beforeEach(({ cards }) => cards.clearFaults());

const TWO_RATES = [
  { name: "Lampe Aube", priceCents: 6000, vatRateBp: 2000, stock: 9 },
  { name: "Théière d’été", priceCents: 4000, vatRateBp: 550 },
];

const allOf = ({ lines }: PaidOrder) => lines.map(({ id, quantity }) => ({ item: id, quantity }));

test("pieces are refunded with a deduction, which settles the withdrawal", async ({
  api,
  database: db,
  cards,
  mailbox,
}) => {
  const order = await buy({ api, db, cards, items: TWO_RATES });
  const { token } = order.buyer;
  await api.post(`/api/orders/${order.id}/withdrawal`, { token, json: { items: "" } });
  const [key, items] = [newKey(), allOf(order)];
  // The provider's answer is lost twice: the retries keep the deduction.
  await cards.fault({ call: "refunds.create", effect: "drop", when: "after", times: 2 });
  const ask = (amount: unknown = "89,99") =>
    requestRefund({ api, order, key, items, amount, restock: true, reason: "Lampe usée" });
  await expect.poll(async () => (await ask()).json.status, { timeout: 30_000 }).toBe("succeeded");
  const { json } = await ask();
  expect(json).toMatchObject({
    amount: 89.99,
    deduction: 10.01,
    items: [{ amount: 60 }, { amount: 40 }],
  });
  await expectOneRefund({ db, cards, order, cents: 8999 });
  for (const amount of [90, null])
    expect((await ask(amount)).json.detail).toContain("Idempotency-Key");

  expect(await stockOf(db, order.lines[0]?.productId ?? 0)).toBe(9);
  expect((await readRefunds({ api, order })).left).toMatchObject({
    amount: 10.01,
    items: [{ left: 0 }, { left: 0 }],
  });
  const [row] = await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id));
  expect(row?.state).toBe("refunded");

  const { creditNotes } = await rowsOf(db, order.id);
  const deduction = { kind: "adjustment", name: "Déduction sur les articles" };
  expect(creditNotes[0]?.snapshot.lines).toMatchObject([
    { name: "Lampe Aube", quantity: 1, unitPriceCents: 6000, vatRateBp: 2000 },
    { name: "Théière d’été", quantity: 1, unitPriceCents: 4000, vatRateBp: 550 },
    { ...deduction, unitPriceCents: -601 },
    { ...deduction, unitPriceCents: -400 },
  ]);
  const number = String(creditNotes[0]?.number);
  const search = `${order.buyer.email.toUpperCase()} & ${number}`;
  const list = `/api/credit_notes?${new URLSearchParams({ order: String(order.id), search })}`;
  expect((await api.get(list, { token: order.token })).json).toMatchObject({
    "hydra:totalItems": 1,
    "hydra:member": [
      {
        "@id": `/api/credit_notes/${creditNotes[0]?.id}`,
        "@type": "CreditNote",
        number,
        total: 89.99,
        vat: [
          { rate: 20, net: 44.99, vat: 9, total: 53.99 },
          { rate: 5.5, net: 34.12, vat: 1.88, total: 36 },
        ],
        paymentId: order.paymentId,
      },
    ],
  });
  const csv = await api.get(list, { token: order.token, accept: "text/csv" });
  const [heads = [], cells = []] = linesOfCsv(csv);
  expect(Object.fromEntries(heads.map((head, index) => [head, cells[index]]))).toMatchObject({
    Date: expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/),
    "Montant (€)": "89,99",
    "HT 20\u00a0% (€)": "44,99",
    "TVA 20\u00a0% (€)": "9",
    "HT 10\u00a0% (€)": "",
    "TVA 5,5\u00a0% (€)": "1,88",
  });
  const mail = await mailbox.waitForMail({ to: order.buyer.email, subject: /89,99/ });
  expect(mail.text).toContain("Déduction sur les articles");
  const [entry] = await historyOf({ api, token: order.token, entity: "Refund", id: json.id });
  expect(entry?.changes).toEqual(
    expect.arrayContaining([
      { field: "amount", before: null, after: 89.99 },
      { field: "deduction", before: null, after: 10.01 },
    ]),
  );

  // The deducted amount may be refunded in the end.
  expect((await requestRefund({ api, order, amount: 10.01 })).status).toBe(201);
  const all = (await rowsOf(db, order.id)).creditNotes.flatMap(({ snapshot }) => snapshot.lines);
  expect(vatByRate(all).map(({ grossCents }) => grossCents)).toEqual([6000, 4000]);
});

test("after a goodwill all is refunded with what is left", async ({ shopWith, cards }) => {
  const { api, database: db } = await shopWith({ env: { STRIPE_API_BASE: cards.url } });
  const method = await createShippingMethod({ db, priceCents: 600 });
  const options = { api, db, cards, items: TWO_RATES, shippingMethodId: method.id };
  for (const card of ["pm_card_visa", "pm_card_pendingRefund"]) {
    const order = await buy({ ...options, card });
    expect((await requestRefund({ api, order, amount: 0.01 })).status).toBe(201);
    const all = await requestRefund({ api, order, items: allOf(order), shipping: true });
    expect(all.json, all.text).toMatchObject({ amount: 105.99, deduction: 0.01, shipping: 6 });
    expect((await readRefunds({ api, order })).left).toMatchObject({ amount: 0, shipping: 0 });
  }
  // A part is refused.
  const order = await buy(options);
  await requestRefund({ api, order, amount: 50 });
  const items = allOf(order).slice(0, 1);
  const part = await requestRefund({ api, order, items, shipping: true });
  expect([part.status, part.json.detail]).toEqual([
    409,
    "Il ne reste que 56,00\u00a0€ à rembourser sur cette commande.",
  ]);
  await test.step("an amount is above 0 and at most the price of pieces and shipping", () =>
    expectLimits({ api, db, cards, shippingMethodId: method.id }));
});

async function expectLimits(options: Omit<Parameters<typeof buy>[0], "items">): Promise<void> {
  const { api, db } = options;
  const bought = [{ name: "Lampe", priceCents: 2000, pieces: 2 }];
  const order = await buy({ ...options, items: bought });
  const items = [{ item: order.lines[0]?.id, quantity: 1 }];
  const tooHigh = (price: string) => ({
    amount: `Le montant ne peut pas dépasser le prix de ce qui est remboursé\u00a0: ${price}\u00a0€.`,
  });
  for (const [json, sentences] of [
    [{ items, amount: 0 }, { amount: "Le montant à rembourser doit être supérieur à 0." }],
    [{ items, amount: 20.01 }, tooHigh("20,00")],
    [{ items, shipping: true, amount: 26.01 }, tooHigh("26,00")],
    [{ shipping: true, amount: 6.01 }, tooHigh("6,00")],
  ] as const)
    expect(sentencesOf(await requestRefund({ api, order, ...json }))).toEqual(sentences);
  expect((await rowsOf(db, order.id)).refunds).toEqual([]);

  // The deduction reduces the pieces first. Only the rest reduces the shipping, and can still be
  // refunded.
  const first = await requestRefund({ api, order, items, shipping: true, amount: 4 });
  expect(first.json, first.text).toMatchObject({ amount: 4, shipping: 4, deduction: 20 });
  expect((await readRefunds({ api, order })).left).toMatchObject({ amount: 42, shipping: 2 });
  const rest = await requestRefund({ api, order, items, shipping: true, amount: 22 });
  expect(rest.json, rest.text).toMatchObject({ amount: 22, shipping: 2, deduction: 0 });
  const lamp = { name: "Lampe", unitPriceCents: 2000 };
  const { creditNotes } = await rowsOf(db, order.id);
  expect(creditNotes.map(({ snapshot }) => snapshot.lines)).toMatchObject([
    [
      lamp,
      { kind: "shipping", unitPriceCents: 400 },
      { name: "Déduction sur les articles", unitPriceCents: -2000 },
    ],
    [lamp, { kind: "shipping", unitPriceCents: 200 }],
  ]);
}
