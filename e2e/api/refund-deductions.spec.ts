import { eq } from "drizzle-orm";
import { createShippingMethod } from "@/db/factories/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { vatByRate } from "@/lib/invoices/rules";
import { historyOf, linesOfCsv, sentencesOf } from "../admin";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";
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

const VAT_HEADS = ["20", "10", "5,5", "2,1", "0", "8,5", "1,05"]
  .map((rate) => `${rate}\u00a0%`)
  .concat("autres taux")
  .flatMap((rates) => [`HT ${rates} (€)`, `TVA ${rates} (€)`]);

const allOf = ({ lines }: PaidOrder) => lines.map(({ id, quantity }) => ({ item: id, quantity }));

test("pieces are refunded with a deduction, which settles the withdrawal", async ({
  shop,
  api,
  database: db,
  cards,
  mailbox,
}) => {
  const order = await buy({ api, db, cards, items: TWO_RATES });
  const { token } = order.buyer;
  await api.post(`/api/orders/${order.id}/withdrawal`, { token, json: { items: "" } });
  const productId = order.lines[0]?.productId ?? 0;
  const stock = await stockOf(db, productId);
  const [key, items] = [newKey(), allOf(order)];
  const ask = (amount: unknown = "89,99") =>
    requestRefund({ api, order, key, items, amount, restock: true, reason: "Lampe usée" });
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
  for (const { status, text } of answers) expect([status, text]).toEqual([201, answers[0]?.text]);
  const { json } = answers[0] ?? (await ask());
  expect(json).toMatchObject({
    amount: 89.99,
    deduction: 10.01,
    status: "succeeded",
    items: [{ amount: 60 }, { amount: 40 }],
  });
  await expectOneRefund({ db, cards, order, cents: 8999 });
  for (const amount of [90, null])
    expect((await ask(amount)).json.detail).toContain("Idempotency-Key");

  expect(await stockOf(db, productId)).toBe((stock ?? 0) + 1);
  expect((await readRefunds({ api, order })).left).toMatchObject({
    amount: 10.01,
    items: [{ left: 0 }, { left: 0 }],
  });
  const [row] = await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id));
  expect(row?.state).toBe("refunded");

  const { creditNotes } = await rowsOf(db, order.id);
  const lines = creditNotes[0]?.snapshot.lines ?? [];
  expect(lines).toMatchObject([
    { name: "Lampe Aube", quantity: 1, unitPriceCents: 6000, vatRateBp: 2000 },
    { name: "Théière d’été", quantity: 1, unitPriceCents: 4000, vatRateBp: 550 },
    { kind: "adjustment", name: "Déduction sur les articles", unitPriceCents: -601 },
    { kind: "adjustment", name: "Déduction sur les articles", unitPriceCents: -400 },
  ]);
  expect(vatByRate(lines)).toEqual([
    { vatRateBp: 2000, grossCents: 5399, netCents: 4499, vatCents: 900 },
    { vatRateBp: 550, grossCents: 3600, netCents: 3412, vatCents: 188 },
  ]);
  const list = await api.get(`/api/credit_notes?order=${order.id}`, { token: order.token });
  expect(list.json).toMatchObject({
    "hydra:member": [
      {
        total: 89.99,
        vat: [
          { net: 44.99, vat: 9 },
          { net: 34.12, vat: 1.88 },
        ],
      },
    ],
  });
  const csv = await api.get(`/api/credit_notes?order=${order.id}`, {
    token: order.token,
    accept: "text/csv",
  });
  const [heads = [], cells = []] = linesOfCsv(csv);
  expect(cells[heads.indexOf("Date")]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/);
  expect(cells[heads.indexOf("Montant (€)")]).toBe("89,99");
  const vat = (rows: string[][]) => rows.map((row) => row.slice(heads.indexOf("ID Paiement") + 1));
  expect(vat([heads, cells])).toEqual([
    VAT_HEADS,
    ["44,99", "9", "", "", "34,12", "1,88", ...Array(10).fill("")],
  ]);
  const path = `/api/credit-notes/${creditNotes[0]?.id}/download`;
  const text = await textOfPdf(await downloadPdf({ shop, path, token }));
  expect(text).toContain("Déduction sur les articles 1 −5,01 € 20 % −6,01 € −6,01 €");
  expect(text).toContain("20 % 44,99 € 9,00 € 53,99 €");
  const mail = await mailbox.waitForMail({ to: order.buyer.email, subject: /remboursement/ });
  expect(mail.subject).toContain("89,99");
  expect(mail.text).toContain("Déduction sur les articles");
  const [entry] = await historyOf({ api, token: order.token, entity: "Refund", id: json.id });
  const changes = entry?.changes.map(({ field, after }) => [field, after]);
  expect(Object.fromEntries(changes ?? [])).toMatchObject({ amount: 89.99, deduction: 10.01 });

  // The deducted amount may be refunded in the end.
  expect((await requestRefund({ api, order, amount: 10.01 })).status).toBe(201);
  const all = (await rowsOf(db, order.id)).creditNotes.flatMap(({ snapshot }) => snapshot.lines);
  expect(vatByRate(all).map(({ grossCents }) => grossCents)).toEqual([6000, 4000]);
});

test("the last pieces are refunded with what is left", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards, items: TWO_RATES });
  const { token } = order.buyer;
  await api.post(`/api/orders/${order.id}/withdrawal`, { token, json: { items: "" } });
  await requestRefund({ api, order, amount: 33.33, reason: "Retard" });
  const items = allOf(order);
  const tooMuch = await requestRefund({ api, order, items, amount: 66.68 });
  expect([tooMuch.status, tooMuch.json.detail]).toEqual([
    409,
    "Il ne reste que 66,67\u00a0€ à rembourser sur cette commande.",
  ]);
  const stock = await stockOf(db, order.lines[0]?.productId ?? 0);
  const last = await requestRefund({ api, order, items, amount: 66.67, restock: true });
  expect(last.json, last.text).toMatchObject({ amount: 66.67, deduction: 33.33 });
  expect(await stockOf(db, order.lines[0]?.productId ?? 0)).toBe((stock ?? 0) + 1);
  const { order: row, creditNotes } = await rowsOf(db, order.id);
  expect(row).toMatchObject({ refundedCents: 10_000, status: "cancelled" });
  const credited = vatByRate(creditNotes.flatMap(({ snapshot }) => snapshot.lines));
  expect(credited.map(({ grossCents }) => grossCents)).toEqual([6000, 4000]);
  const [withdrawal] = await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id));
  expect(withdrawal?.state).toBe("refunded");
});

test("after a goodwill all is refunded with what is left", async ({ shopWith, cards }) => {
  const { api, database: db } = await shopWith({ env: { STRIPE_API_BASE: cards.url } });
  const method = await createShippingMethod({ db, priceCents: 600 });
  const options = { api, db, cards, items: TWO_RATES, shippingMethodId: method.id };
  for (const card of ["pm_card_visa", "pm_card_pendingRefund"]) {
    const order = await buy({ ...options, card });
    expect((await requestRefund({ api, order, amount: 0.01 })).status).toBe(201);
    const items = allOf(order);
    const all = await requestRefund({ api, order, items, shipping: true });
    expect([all.status, all.json.amount], all.text).toEqual([201, 105.99]);
    expect(all.json).toMatchObject({ deduction: 0.01, shipping: 6 });
    expect((await readRefunds({ api, order })).left).toMatchObject({ amount: 0, shipping: 0 });
  }
  // Only a refund of everything is lowered to what is left. A refund of a part is refused.
  const order = await buy(options);
  await requestRefund({ api, order, amount: 50 });
  const [lamp] = allOf(order);
  const part = await requestRefund({ api, order, items: [lamp], shipping: true });
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
  const { creditNotes } = await rowsOf(db, order.id);
  expect(creditNotes.map(({ snapshot }) => snapshot.lines)).toMatchObject([
    [
      { name: "Lampe", unitPriceCents: 2000 },
      { kind: "shipping", unitPriceCents: 400 },
      { name: "Déduction sur les articles", unitPriceCents: -2000 },
    ],
    [
      { name: "Lampe", unitPriceCents: 2000 },
      { kind: "shipping", unitPriceCents: 200 },
    ],
  ]);
}

test("retries at the provider keep the deduction", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  await cards.fault({ call: "refunds.create", effect: "drop", when: "after", times: 2 });
  const refund = { items: allOf(order), amount: 30, key: newKey() };
  const { status, text } = await requestRefund({ api, order, ...refund });
  expect(status, text).toBe(201);
  const isDone = async () => (await requestRefund({ api, order, ...refund })).json.status;
  await expect.poll(isDone, { timeout: 30_000 }).toBe("succeeded");
  await expectOneRefund({ db, cards, order, cents: 3000 });
});
