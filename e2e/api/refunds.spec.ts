import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createShippingMethod } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { checkouts, paymentClosures } from "@/db/schema/checkout";
import { mailOutbox } from "@/db/schema/mail";
import { orders } from "@/db/schema/orders";
import { creditNotes, refunds } from "@/db/schema/refunds";
import { withdrawals } from "@/db/schema/withdrawals";
import { vatByRate } from "@/lib/invoices/rules";
import { historyOf, newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { createBuyerWithCart, openPayment } from "../buying";
import { type Cards, expectDelivered, paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import { logLines } from "../log-lines";
import { expectStatesAgree } from "../order-states";
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
import { movementsOf, stockOf } from "../stock";
import { countLockWaits } from "../table-lock";

// Refunds by staff: their amounts, their consequences, and refusals.

const FILE = {
  type: "digital",
  name: "Guide",
  priceCents: 900,
  downloadLink: "/downloads/guide-the.pdf",
} as const;

const NOTHING_LEFT =
  "Il ne reste rien à rembourser sur cette commande\u00a0: tout est rendu, en cours de remboursement ou contesté.";
const SHIPPING_IS_BACK = "Il n'y a plus de frais de livraison à rembourser.";
const OBJECTS_ARE_BACK = "Les objets de cette commande sont déjà remboursés.";

test.beforeEach(({ cards }) => cards.clearFaults());

/** Pieces of an order's line, as a refund names them. */
const piecesOf = ({ lines }: PaidOrder, line = 0, quantity = 1) => [
  { item: lines[line]?.id, quantity },
];

const withdraw = (api: Api, { id, buyer: { token } }: PaidOrder, items = "") =>
  api.post<{ detail: string }>(`/api/orders/${id}/withdrawal`, { token, json: { items } });

const withdrawalOf = async (db: Database, { id }: PaidOrder) =>
  (await db.select().from(withdrawals).where(eq(withdrawals.orderId, id)))[0];

const refusalOf = ({ status, json }: { status: number; json: { detail: string } }) => [
  status,
  json.detail,
];

/** The download link of an order's line, as its buyer sees it. */
async function linkOf(api: Api, { id, buyer: { token } }: PaidOrder, line: number) {
  const { json } = await api.get<{ items: { product: { downloadLink: string | null } }[] }>(
    `/api/orders_details/${id}`,
    { token },
  );
  return json.items[line]?.product.downloadLink;
}

/** Settles a refund at the provider, and waits until the shop has received the event. */
async function settle(
  { db, cards }: { db: Database; cards: Cards },
  { id }: { id: number },
  status: "succeeded" | "failed",
) {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id));
  await cards.settleRefund(refund?.providerId ?? "", status);
  await expectDelivered(cards);
  return rowsOf(db, refund?.orderId ?? 0);
}

const reconcile = (api: Api, { CRON_SECRET = "" }: Record<string, string | undefined>) =>
  api.post("/api/cron/checkouts?due=all", { token: CRON_SECRET });

test("a refund has a credit note and a mail; a full one cancels the order", async ({
  shop,
  api,
  database: db,
  cards,
  mailbox,
}) => {
  const items = [
    { name: "Théière d’été", priceCents: 1055, vatRateBp: 550 },
    { name: "Lampe Aube", priceCents: 4290, vatRateBp: 2000, pieces: 2 },
  ];
  const order = await buy({ api, db, cards, items });
  const [tea, lamp] = order.lines;
  const reason = "Abat-jour fendu";
  const first = await requestRefund({ api, order, items: piecesOf(order, 1), reason });
  expect(first.status, first.text).toBe(201);
  expect(first.json).toMatchObject({
    amount: 42.9,
    status: "succeeded",
    creditNoteNumber: expect.stringMatching(/^AV-\d{4}-\d{6}$/),
    items: [{ item: lamp?.id, name: "Lampe Aube", quantity: 1, amount: 42.9 }],
  });
  await expectOneRefund({ db, cards, order, cents: 4290 });
  expect(await readRefunds({ api, order })).toMatchObject({
    isPaid: true,
    total: 96.35,
    refundedTotal: 42.9,
    left: {
      amount: 53.45,
      shipping: 0,
      isUnsent: true,
      items: [
        { item: tea?.id, quantity: 1, left: 1 },
        { item: lamp?.id, quantity: 2, left: 1 },
      ],
    },
    refunds: [{ id: first.json.id, status: "succeeded" }],
  });

  const {
    order: row,
    creditNotes: [note],
  } = await rowsOf(db, order.id);
  const number = String(note?.number);
  const mail = await mailbox.waitForMail({ to: order.buyer.email, subject: /remboursement/ });
  expect(mail).toMatchObject({
    subject: `Votre remboursement de 42,90 € sur la commande ${row?.number}`,
    text: expect.stringContaining(reason),
    attachments: [{ filename: `avoir-${note?.id}.pdf` }],
  });
  expect(mail.text).toContain(number);
  const { token } = order.buyer;
  const shown = { amount: 42.9, status: "succeeded", reason };
  expect((await api.get(`/api/orders_details/${order.id}`, { token })).json).toMatchObject({
    refundedTotal: 42.9,
    refunds: [{ ...shown, creditNoteId: note?.id, creditNoteNumber: number }],
  });
  const path = `/api/credit-notes/${note?.id}/download`;
  expect((await api.get(path, { token })).headers).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="avoir-${note?.id}.pdf"`,
  });
  const paper = await textOfPdf(await downloadPdf({ shop, path, token }));
  for (const part of [
    `Avoir N° ${number}`,
    `Facture corrigée : ${note?.snapshot.invoice?.number}`,
    "Lampe Aube 1 35,75 € 20 % 42,90 € 42,90 €",
    "20 % 35,75 € 7,15 € 42,90 €",
    `Motif : ${reason}`,
  ])
    expect(paper).toContain(part);

  const rest = [...piecesOf(order, 0), ...piecesOf(order, 1)];
  const all = await requestRefund({ api, order, items: rest });
  expect(all.json, all.text).toMatchObject({ amount: 53.45, status: "succeeded" });
  const after = await rowsOf(db, order.id);
  expect(after.order).toMatchObject({ refundedCents: 9635, status: "cancelled" });
  expect(after.order?.cancelledAt).not.toBeNull();
  expect(vatByRate(after.creditNotes.flatMap(({ snapshot }) => snapshot.lines))).toMatchObject([
    { vatRateBp: 2000, grossCents: 8580 },
    { vatRateBp: 550, grossCents: 1055 },
  ]);
  const again = await requestRefund({ api, order, amount: 1 });
  expect(refusalOf(again)).toEqual([409, NOTHING_LEFT]);
  const change = (quantity: number) =>
    api.put<{ detail: string }>(`/api/admin_orders/${order.id}`, {
      token: order.token,
      json: {
        orderItems: [
          { id: tea?.id, quantity },
          { id: lamp?.id, quantity: 2 },
        ],
      },
    });
  expect(refusalOf(await change(2))).toEqual([
    409,
    "Cette commande est annulée\u00a0: ses articles ne se modifient plus.",
  ]);
  expect((await change(1)).status).toBe(200);
});

test("a wrong refund is refused with a sentence", async ({ api, database: db, cards }) => {
  const items = [{ name: "Lampe", priceCents: 2000, pieces: 2 }];
  const order = await buy({ api, db, cards, items });
  const other = await buy({ api, db, cards });
  const notOfOrder = { "items[0].item": "Cet article n'est pas dans cette commande." };
  for (const [json, sentences] of [
    [{ reason: "" }, { reason: "Indiquez le motif du remboursement." }],
    [{}, { items: "Indiquez des articles, la livraison ou un montant à rembourser." }],
    [{ amount: 0 }, { amount: "Le montant à rembourser doit être supérieur à 0." }],
    [{ amount: -1 }, { amount: "Le montant ne peut pas être négatif." }],
    [{ items: "tout" }, { items: "Les articles à rembourser doivent être une liste." }],
    [{ items: piecesOf(order, 0, 0) }, { "items[0].quantity": expect.any(String) }],
    [{ items: piecesOf(other) }, notOfOrder],
    [{ items: [{ item: "/api/items/x", quantity: 1 }] }, notOfOrder],
    [{ items: piecesOf(order), reason: "x".repeat(501) }, { reason: expect.any(String) }],
  ] as const)
    expect(sentencesOf(await requestRefund({ api, order, ...json }))).toEqual(sentences);
  for (const [json, sentence] of [
    [{ amount: 40.01 }, "Il ne reste que 40,00\u00a0€ à rembourser sur cette commande."],
    [
      { items: piecesOf(order, 0, 3) },
      "Il ne reste que 2 exemplaires de «\u00a0Lampe\u00a0» à rembourser.",
    ],
    [{ shipping: true }, SHIPPING_IS_BACK],
  ] as const)
    expect(refusalOf(await requestRefund({ api, order, ...json }))).toEqual([409, sentence]);
  expect(refusalOf(await requestRefund({ api, order, amount: 1, key: null }))).toEqual([
    400,
    expect.stringContaining("Idempotency-Key"),
  ]);
  expect((await rowsOf(db, order.id)).refunds).toEqual([]);

  // A goodwill keeps the pieces.
  const goodwill = await requestRefund({ api, order, amount: "5,50" });
  expect(goodwill.json, goodwill.text).toMatchObject({ amount: 5.5, status: "succeeded" });
  const { left } = await readRefunds({ api, order });
  expect(left).toMatchObject({ amount: 34.5, items: [{ left: 2 }] });
  const { creditNotes: notes, order: row } = await rowsOf(db, order.id);
  expect(notes[0]?.snapshot.lines).toMatchObject([
    { name: "Geste commercial", quantity: 1, unitPriceCents: 550, vatRateBp: 2000 },
  ]);
  expect(row?.status).toBe("paid");
});

test("an order that was not paid here cannot be refunded", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const items = [{ product: await createProduct({ db }) }];
  const user = await createUser({ db });
  const { order } = await createOrder({ db, user, items, paymentIntentId: null });
  const at = { id: order.id, token };
  expect(refusalOf(await requestRefund({ api, order: at, amount: 1 }))).toEqual([
    409,
    "Cette commande n'a pas été payée par carte dans la boutique\u00a0: elle ne peut pas être remboursée ici.",
  ]);
  expect(await readRefunds({ api, order: at })).toMatchObject({ isPaid: false });
  const unknown = { token, id: 2_000_000_000 };
  expect((await requestRefund({ api, order: unknown, amount: 1 })).status).toBe(404);
});

test("shipping is refunded once, and sums are net of it", async ({ shopWith, cards }) => {
  const { api, database: db } = await shopWith({ env: { STRIPE_API_BASE: cards.url } });
  const method = await createShippingMethod({ db, name: "Colissimo", priceCents: 601 });
  const items = [
    { priceCents: 1000, vatRateBp: 2000 },
    { priceCents: 1000, vatRateBp: 550 },
  ];
  const order = await buy({ api, db, cards, items, shippingMethodId: method.id });
  expect(order.totalCents).toBe(2601);
  const { token } = order;
  const sums = async () => {
    const { json } = await api.get<{ period: { total: number; orders: number } }>(
      "/api/admin/dashboard",
      { token },
    );
    const start = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString());
    const days = await api.get<{ total: number }[]>(
      `/api/orders?interval=day&date[after]=${start}`,
      { token },
    );
    const part = days.json.reduce((sum, { total }) => sum + Math.round(total * 100), 0);
    return { period: Math.round(json.period.total * 100), orders: json.period.orders, part };
  };
  const { period, orders: count, part } = await sums();
  const first = await requestRefund({ api, order, items: piecesOf(order), shipping: true });
  expect(first.json, first.text).toMatchObject({ amount: 16.01, shipping: 6.01 });
  expect(await sums()).toEqual({ period: period - 1601, orders: count, part: part - 1601 });
  const shipping = { kind: "shipping", name: "Livraison – Colissimo" };
  const { creditNotes: notes } = await rowsOf(db, order.id);
  expect(notes[0]?.snapshot.lines.slice(1)).toMatchObject([
    { ...shipping, unitPriceCents: 301, vatRateBp: 2000 },
    { ...shipping, unitPriceCents: 300, vatRateBp: 550 },
  ]);
  const again = await requestRefund({ api, order, shipping: true });
  expect(refusalOf(again)).toEqual([409, SHIPPING_IS_BACK]);
  expect((await readRefunds({ api, order })).left).toMatchObject({ amount: 10, shipping: 0 });
});

test("the same key gives the same answer, 20 times", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => requestRefund({ api, order, key, amount: 12 })),
  );
  for (const { status, text } of answers) expect([status, text]).toEqual([201, answers[0]?.text]);
  const other = await requestRefund({ api, order, key, amount: 13 });
  expect(refusalOf(other)).toEqual([409, expect.stringContaining("Idempotency-Key")]);
  await expectOneRefund({ db, cards, order, cents: 1200 });
  const id = answers[0]?.json.id ?? 0;
  expect(await historyOf({ api, token: order.token, entity: "Refund", id })).toHaveLength(1);
});

test("concurrent refunds never exceed the paid amount", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards, items: [{ priceCents: 1000, pieces: 3 }] });
  const items = piecesOf(order, 0, 2);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => requestRefund({ api, order, items })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  await expectOneRefund({ db, cards, order, cents: 2000 });
});

test("a withdrawal is settled by refunding its objects", async ({ api, database: db, cards }) => {
  const [LAMPS, GUIDE, DAWN, BOWL] = [0, 1, 2, 3];
  const items = [
    { priceCents: 1000, pieces: 2 },
    FILE,
    { name: "Lampe Aube", priceCents: 500, pieces: 2 },
    { name: "Bol bleu", priceCents: 500 },
  ];
  for (const { words, before = [], refunded, state = "refunded" } of [
    // The file is not what was withdrawn from.
    { words: "", refunded: [GUIDE, LAMPS, DAWN, DAWN, BOWL, LAMPS] },
    { words: "le BOL BLEU et la lampe Aube", refunded: [LAMPS, DAWN, BOWL] },
    // If the buyer's words do not name a product as the order does, staff decide.
    { words: "une des deux", refunded: [LAMPS], state: "received" },
    // Earlier refunds do not count for the withdrawal.
    { words: "la lampe aube", before: [DAWN], refunded: [BOWL, DAWN] },
  ]) {
    const order = await buy({ api, db, cards, items });
    const { token } = order;
    const refund = (line: number) => requestRefund({ api, order, items: piecesOf(order, line) });
    for (const line of before) await refund(line);
    await withdraw(api, order, words);
    const states = [];
    for (const line of refunded) {
      await refund(line);
      states.push((await withdrawalOf(db, order))?.state);
    }
    expect(states.slice(0, -1), words).toEqual(refunded.slice(1).map(() => "received"));
    expect(states.at(-1), words).toBe(state);
    const { id = 0 } = (await withdrawalOf(db, order)) ?? {};
    const history = await historyOf({ api, token, entity: "Withdrawal", id });
    const settled = [
      { field: "state", before: "received", after: "refunded" },
      { field: "settledAt", before: null, after: expect.any(String) },
    ];
    expect(history.map(({ changes }) => changes)).toEqual(state === "refunded" ? [settled] : []);
  }
});

test("a refunded order cannot be withdrawn from", async ({ api, database: db, cards }) => {
  const expectRefused = async (order: PaidOrder) => {
    const { token } = order.buyer;
    const state = await api.get(`/api/orders/${order.id}/withdrawal`, { token });
    expect(state.json).toMatchObject({ isPossible: false });
    expect(refusalOf(await withdraw(api, order))).toEqual([409, OBJECTS_ARE_BACK]);
  };
  const cancelled = await buy({ api, db, cards });
  await requestRefund({ api, order: cancelled, amount: 1, reason: "Retard" });
  await requestRefund({ api, order: cancelled, amount: 41.9, reason: "Abandon" });
  await expectRefused(cancelled);
  const { token, id } = cancelled;
  const history = await historyOf({ api, token, entity: "Order", id });
  const changed = history.map(({ entity, changes }) => [
    entity,
    Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])),
  ]);
  expect(changed).toMatchObject([
    ["Order", { status: ["paid", "cancelled"] }],
    ["Refund", { amount: [null, 41.9], reason: [null, "Abandon"] }],
    ["Refund", { amount: [null, 1], reason: [null, "Retard"] }],
  ]);

  const mixed = await buy({ api, db, cards, items: [{ priceCents: 1000, pieces: 2 }, FILE] });
  await requestRefund({ api, order: mixed, items: piecesOf(mixed, 0, 2) });
  await expectRefused(mixed);
  // Its file can be downloaded until it is refunded, too.
  const link = await linkOf(api, mixed, 1);
  expect(link).toContain("/downloads/");
  await requestRefund({ api, order: mixed, items: piecesOf(mixed, 1) });
  expect(await linkOf(api, mixed, 1)).toBeNull();
  expect((await api.get(String(link))).status).toBe(404);
});

test("pieces go back into stock once, if staff want", async ({ api, database: db, cards }) => {
  const items = [{ priceCents: 1000, stock: 20, pieces: 3 }, FILE];
  const bought = async () => {
    const order = await buy({ api, db, cards, items });
    const [lamp, file] = order.lines;
    const productId = lamp?.productId ?? 0;
    const path = `/api/admin_orders/${order.id}`;
    return {
      productId,
      refund: (quantity: number, restock: boolean) =>
        requestRefund({ api, order, items: piecesOf(order, 0, quantity), restock }),
      send: (quantity: number) =>
        api.post(`${path}/shipments`, {
          token: order.token,
          json: { carrier: "UPS", items: piecesOf(order, 0, quantity) },
        }),
      change: async (quantity: number) => {
        const kept = quantity > 0 ? [{ id: lamp?.id, quantity }] : [];
        const orderItems = [...kept, { id: file?.id, quantity: 1 }];
        return (await api.put(path, { token: order.token, json: { orderItems } })).status;
      },
      remove: () => api.delete(path, { token: order.token }),
      stock: () => stockOf(db, productId),
      isUnsent: async () => (await readRefunds({ api, order })).left.isUnsent,
    };
  };
  const edited = await bought();
  await edited.send(2);
  expect(await edited.isUnsent()).toBe(false);
  await edited.refund(1, true);
  expect(await edited.stock()).toBe(18);
  expect([await edited.change(2), await edited.change(0), await edited.change(3)]).toEqual([
    422, 409, 200,
  ]);
  expect(await edited.stock()).toBe(18);
  expect(await movementsOf(db, edited.productId)).toContain("return 1");

  const deleted = await bought();
  await deleted.send(1);
  await deleted.refund(1, true);
  await deleted.remove();
  expect(await deleted.stock(), "one piece has left").toBe(19);

  const broken = await bought();
  await broken.refund(1, false);
  expect(await broken.stock()).toBe(17);
  await broken.remove();
  expect(await broken.stock(), "one piece is lost").toBe(19);
});

test.describe("begun at the provider", () => {
  test("a refund arrives by event, and is not made twice", async ({ api, database: db, cards }) => {
    const order = await buy({ api, db, cards });
    await cards.fault({ webhook: "*", effect: "twice", times: 10 });
    await cards.call("refunds", { payment_intent: order.paymentId, amount: "1000" });
    const statuses = async () => (await rowsOf(db, order.id)).refunds.map((row) => row.status);
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(["succeeded"]);
    await expectOneRefund({ db, cards, order, cents: 1000 });
    expect((await rowsOf(db, order.id)).refunds).toMatchObject([
      { origin: "provider", reason: "Remboursement fait chez le prestataire de paiement" },
    ]);
    expect((await readRefunds({ api, order })).left.amount).toBe(32.9);
  });

  test("a refund is found without its events", async ({ api, database: db, cards, shopEnv }) => {
    const order = await buy({ api, db, cards });
    await expectDelivered(cards);
    await cards.fault({ webhook: "*", effect: "never", times: 10 });
    await cards.call("refunds", { payment_intent: order.paymentId });
    expect((await reconcile(api, shopEnv)).status).toBe(200);
    await expectOneRefund({ db, cards, order, cents: 4290 });
  });

  for (const [decision, status, refundedCents] of [
    ["lost", "succeeded", 4290],
    ["won", "failed", 0],
  ] as const)
    test(`a dispute blocks refunds until ${decision}`, async ({ api, database: db, cards }) => {
      const order = await buy({ api, db, cards });
      const { token } = order;
      const isDisputed = async () =>
        (await api.get<{ isDisputed: boolean }>(`/api/admin_orders/${order.id}`, { token })).json
          .isDisputed;
      expect(await isDisputed()).toBe(false);
      await cards.dispute(order.paymentId, "needs_response");
      await expectDelivered(cards);
      expect(await isDisputed()).toBe(true);
      expect(await rowsOf(db, order.id)).toMatchObject({
        refunds: [{ origin: "dispute", status: "pending" }],
        creditNotes: [],
      });
      expect((await requestRefund({ api, order, amount: 1 })).status).toBe(409);
      await cards.dispute(order.paymentId, decision);
      await expectDelivered(cards);
      expect(await isDisputed()).toBe(false);
      const closed = await rowsOf(db, order.id);
      expect(closed).toMatchObject({ refunds: [{ status }], order: { refundedCents } });
      const papers = decision === "lost" ? 1 : 0;
      expect([closed.creditNotes.length, closed.mails.length]).toEqual([papers, papers]);
    });
});

for (const [name, isGoodwillFirst] of [
  ["a goodwill waits while all the money goes back at the provider", true],
  ["staff refund at the moment in which all the money goes back at the provider", false],
] as const)
  test(`${name}: the order is fully refunded all the same`, async ({
    api,
    database: db,
    cards,
    shopEnv,
  }) => {
    const order = await buy({ api, db, cards, items: [{ priceCents: 4290 }, FILE] });
    const { token } = order;
    await withdraw(api, order);
    const atProvider = () => cards.call("refunds", { payment_intent: order.paymentId });
    if (isGoodwillFirst) {
      const isDown = { effect: "fail", when: "before", status: 503, times: 100 } as const;
      await cards.fault({ call: "refunds.create", ...isDown });
      const goodwill = await requestRefund({ api, order, amount: 1 });
      expect(goodwill.json).toMatchObject({ status: "pending" });
      await cards.clearFaults();
      await atProvider();
    } else await Promise.all([requestRefund({ api, order, amount: 51.9 }), atProvider()]);
    await expectDelivered(cards);
    const isSettled = async () => {
      await reconcile(api, shopEnv);
      return (await rowsOf(db, order.id)).refunds.every(({ status }) => status !== "pending");
    };
    await expect.poll(isSettled, { timeout: 30_000 }).toBe(true);
    const { order: row } = await rowsOf(db, order.id);
    expect(row).toMatchObject({ status: "cancelled", refundedCents: order.totalCents });
    expect((await withdrawalOf(db, order))?.state).toBe("refunded");
    const since = order.id - 1;
    expect(await expectStatesAgree({ api, database: db, cards, token, since })).toBe(1);
    const todo = await api.get<{ "hydra:member": { id: number }[] }>(
      `/api/admin_orders?todo=refund&search=${row?.number}`,
      { token },
    );
    expect(todo.json["hydra:member"], "nothing is left to be done").toEqual([]);
  });

test("a withdrawal waits for a refund being settled", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  let answer: ReturnType<typeof withdraw> | undefined;
  await db.transaction(async (settling) => {
    await settling
      .update(orders)
      .set({ refundedCents: order.totalCents, status: "cancelled" })
      .where(eq(orders.id, order.id));
    answer = withdraw(api, order);
    await expect.poll(() => countLockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
  });
  expect((await answer)?.json).toMatchObject({ status: 409, detail: OBJECTS_ARE_BACK });
});

test("a pending refund may fail; a retry keeps its note", async ({ api, database: db, cards }) => {
  const items = [{ priceCents: 1000, stock: 5, pieces: 2 }];
  const order = await buy({ api, db, cards, card: "pm_card_pendingRefund", items });
  const shop = { db, cards };
  await api.post(`/api/admin_orders/${order.id}/shipments`, {
    token: order.token,
    json: { carrier: "UPS", items: piecesOf(order) },
  });
  const refund = async () =>
    (await requestRefund({ api, order, items: piecesOf(order), restock: true })).json;
  const stock = () => stockOf(db, order.lines[0]?.productId ?? 0);
  const first = await refund();
  expect(first).toMatchObject({ status: "pending", creditNoteNumber: null });
  await settle(shop, first, "failed");
  expect((await readRefunds({ api, order })).refunds).toMatchObject([
    { status: "failed", failure: "La carte du client a expiré ou a été annulée." },
  ]);
  const second = await refund();
  const done = await settle(shop, second, "succeeded");
  const [note] = done.creditNotes;
  expect(done).toMatchObject({
    creditNotes: [{ refundId: second.id }],
    order: { refundedCents: 1000, status: "shipped" },
  });
  expect(await stock()).toBe(4);
  // A bank may refuse a refund that the provider has reported as done: the piece is to be sent again.
  expect((await settle(shop, second, "failed")).order).toMatchObject({
    refundedCents: 0,
    status: "preparing",
  });
  // The credit note's refund has failed. Another refund would add a second credit note.
  expect(refusalOf(await requestRefund({ api, order, amount: 5 }))).toEqual([
    409,
    `La banque du client a refusé après coup le remboursement de l'avoir ${note?.number}\u00a0: remboursez d'abord exactement 10,00\u00a0€.`,
  ]);
  const third = await refund();
  const last = await settle(shop, third, "succeeded");
  expect(last).toMatchObject({
    creditNotes: [{ id: note?.id, refundId: third.id }],
    order: { refundedCents: 1000, status: "shipped" },
  });
  expect(last.mails).toHaveLength(1);
  expect(await stock(), "the piece is there already").toBe(4);
  await settle(shop, await refund(), "succeeded");
  expect(await stock(), "another piece").toBe(5);
});

test("a refund and its author's erasure do not block", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards, card: "pm_card_pendingRefund" });
  const { json } = await requestRefund({ api, order, items: piecesOf(order) });
  // Until it is settled the order is not cancelled, even if it is saved, but nothing of it is sent.
  const path = `/api/admin_orders/${order.id}`;
  const { token } = order;
  const orderItems = [{ id: order.lines[0]?.id, quantity: 1 }];
  const saved = await api.put(path, { token, json: { orderItems } });
  expect(saved.json).toMatchObject({ status: "paid" });
  const prepared = await api.post<{ detail: string }>(`${path}/prepare`, { token, json: {} });
  expect(refusalOf(prepared)).toEqual([409, "Il ne reste rien à envoyer de cette commande."]);
  const isRefund = eq(refunds.id, json.id);
  const [refund] = await db.select().from(refunds).where(isRefund);
  // An erasure locks the account, and then removes it from the rows that name it.
  await db.transaction(async (erasure) => {
    // In a deadlock, PostgreSQL would abort this transaction.
    await erasure.execute(sql`set local deadlock_timeout = '10ms'`);
    const isAuthor = eq(users.id, refund?.createdBy ?? 0);
    await erasure.select().from(users).where(isAuthor).for("update");
    await cards.settleRefund(refund?.providerId ?? "", "succeeded");
    await expect.poll(() => countLockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
    await erasure.update(refunds).set({ createdBy: null }).where(isRefund);
  });
  await expectDelivered(cards);
  expect(await rowsOf(db, order.id)).toMatchObject({
    refunds: [{ status: "succeeded", createdBy: null }],
    order: { status: "cancelled" },
  });
});

test("an order cannot be deleted during a refund", async ({ api, database: db, cards }) => {
  const items = [
    { priceCents: 6000, vatRateBp: 2000 },
    { priceCents: 4000, vatRateBp: 550 },
  ];
  const order = await buy({ api, db, cards, card: "pm_card_pendingRefund", items });
  const { json } = await requestRefund({ api, order, items: piecesOf(order) });
  const remove = () =>
    api.delete<{ detail: string }>(`/api/admin_orders/${order.id}`, { token: order.token });
  expect(refusalOf(await remove())).toEqual([
    409,
    "Un remboursement de cette commande est en cours\u00a0: elle pourra être supprimée quand il sera fait.",
  ]);
  await settle({ db, cards }, json, "succeeded");
  expect((await remove()).status).toBe(204);

  const { json: rest } = await cards.call("refunds", { payment_intent: order.paymentId });
  await cards.settleRefund(String(rest.id), "succeeded");
  await expectDelivered(cards);
  const ofBuyer = eq(creditNotes.userId, order.buyer.id);
  const notes = await db.select().from(creditNotes).where(ofBuyer).orderBy(creditNotes.id);
  expect(notes.map(({ totalCents }) => totalCents)).toEqual([6000, 4000]);
  const isTheirs = eq(mailOutbox.recipient, order.buyer.email);
  const mails = await db.select().from(mailOutbox).where(isTheirs);
  expect(mails.filter(({ template }) => template === "credit-note")).toHaveLength(2);
});

test("the log reports a payment without an order that the bank refuses to refund", async ({
  shop,
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  const paymentId = paymentIdOf(secret);
  await db
    .update(checkouts)
    .set({ status: "cancelled" })
    .where(eq(checkouts.paymentIntentId, paymentId));
  await cards.pay(secret, "pm_card_pendingRefund");
  const outcome = async () => {
    await reconcile(api, shopEnv);
    const ofPayment = eq(paymentClosures.paymentIntentId, paymentId);
    return (await db.select().from(paymentClosures).where(ofPayment))[0]?.outcome;
  };
  await expect.poll(outcome).toBe("refunded");
  const list = await fetch(`${cards.url}/v1/refunds?payment_intent=${paymentId}`, {
    headers: { Authorization: "Bearer sk_test_sandbox" },
  });
  const { data } = (await list.json()) as { data: { id: string }[] };
  await cards.settleRefund(data[0]?.id ?? "", "failed");
  await expectDelivered(cards);
  const lines = () =>
    logLines(shop).filter(({ msg }) => msg.includes("without an order has failed"));
  await expect.poll(lines).not.toEqual([]);
  for (const line of lines()) expect(line).toMatchObject({ level: 50, payment: paymentId });
  // Staff refund the payment at the provider.
  await cards.call("refunds", { payment_intent: paymentId });
  await expectDelivered(cards);
  const { length } = lines();
  await reconcile(api, shopEnv);
  expect(lines()).toHaveLength(length);
});
