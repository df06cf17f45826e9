import { and, eq, sql } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createShippingMethod } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { checkouts, paymentClosures } from "@/db/schema/checkout";
import { mailOutbox } from "@/db/schema/mail";
import { orderLines, orders } from "@/db/schema/orders";
import { creditNotes, refunds } from "@/db/schema/refunds";
import { stockMovements } from "@/db/schema/stock";
import { withdrawals } from "@/db/schema/withdrawals";
import { vatByRate } from "@/lib/invoices/rules";
import { tokenOf } from "../accounts";
import { historyOf, newAdmin, sentencesOf } from "../admin";
import { createBuyerWithCart, openPayment } from "../buying";
import { expectDelivered, paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import { logLines } from "../log-lines";
import { downloadPdf, textOfPdf } from "../pdf";
import { buy, expectOneRefund, newKey, readRefunds, requestRefund, rowsOf } from "../refunding";
import { stockOf } from "../stock";
import { countLockWaits } from "../table-lock";

// Refunds by staff: their amounts, their consequences, and refusals.

test.beforeEach(({ cards }) => cards.clearFaults());

test("refunding pieces and then the rest updates credit notes, mails, state and sums", async ({
  shop,
  api,
  database: db,
  cards,
  mailbox,
}) => {
  const order = await buy({
    api,
    db,
    cards,
    items: [
      { name: "Théière d’été", priceCents: 1055, vatRateBp: 550 },
      { name: "Lampe Aube", priceCents: 4290, vatRateBp: 2000, pieces: 2 },
    ],
  });
  const [tea, lamp] = order.lines;
  const first = await requestRefund({
    api,
    order,
    items: [{ item: lamp?.id, quantity: 1 }],
    reason: "Abat-jour fendu",
  });
  expect(first.status, first.text).toBe(201);
  expect(first.json).toMatchObject({
    amount: 42.9,
    status: "succeeded",
    creditNoteNumber: expect.stringMatching(/^AV-\d{4}-\d{6}$/),
    items: [{ item: lamp?.id, name: "Lampe Aube", quantity: 1, amount: 42.9 }],
  });
  await expectOneRefund({ db, cards, order, cents: 4290 });
  const left = await readRefunds({ api, order });
  expect(left).toMatchObject({
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

  const mail = await mailbox.waitForMail({ to: order.buyer.email, subject: /remboursement/ });
  const { order: row, creditNotes } = await rowsOf(db, order.id);
  expect(mail.subject).toBe(`Votre remboursement de 42,90 € sur la commande ${row?.number}`);
  expect(mail.text).toContain("Abat-jour fendu");
  expect(mail.text).toContain(String(creditNotes[0]?.number));
  expect(mail.attachments?.map(({ filename }) => filename)).toEqual([
    `avoir-${creditNotes[0]?.id}.pdf`,
  ]);

  const detail = await api.get<{ refundedTotal: number; refunds: unknown[] }>(
    `/api/orders_details/${order.id}`,
    { token: order.buyer.token },
  );
  expect(detail.json).toMatchObject({
    refundedTotal: 42.9,
    refunds: [
      {
        amount: 42.9,
        status: "succeeded",
        reason: "Abat-jour fendu",
        creditNoteId: creditNotes[0]?.id,
        creditNoteNumber: creditNotes[0]?.number,
      },
    ],
  });

  const path = `/api/credit-notes/${creditNotes[0]?.id}/download`;
  const download = await fetch(shop.baseURL + path, {
    headers: { Authorization: `Bearer ${order.buyer.token}` },
  });
  expect(Object.fromEntries(download.headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="avoir-${creditNotes[0]?.id}.pdf"`,
  });
  for (const token of [order.buyer.token, order.token]) {
    const text = await textOfPdf(await downloadPdf({ shop, path, token }));
    for (const part of [
      `Avoir N° ${creditNotes[0]?.number}`,
      `Facture corrigée : ${creditNotes[0]?.snapshot.invoice?.number}`,
      "Lampe Aube 1 35,75 € 20 % 42,90 € 42,90 €",
      "20 % 35,75 € 7,15 € 42,90 €",
      "Motif : Abat-jour fendu",
    ])
      expect(text).toContain(part);
  }
  const stranger = await tokenOf(await createUser({ db }));
  expect((await api.get(path, { token: stranger })).status).toBe(404);

  const rest = await requestRefund({
    api,
    order,
    items: [
      { item: `/api/items/x`, quantity: 1 },
      { item: lamp?.id, quantity: 1 },
    ],
  });
  expect(sentencesOf(rest)).toEqual({
    "items[0].item": "Cet article n'est pas dans cette commande.",
  });
  const all = await requestRefund({
    api,
    order,
    items: [
      { item: tea?.id, quantity: 1 },
      { item: lamp?.id, quantity: 1 },
    ],
  });
  expect(all.json, all.text).toMatchObject({ amount: 53.45, status: "succeeded" });
  const after = await rowsOf(db, order.id);
  expect(after.order).toMatchObject({ refundedCents: 9635, status: "cancelled" });
  expect(after.order?.cancelledAt).not.toBeNull();
  // Per VAT rate, the credit notes cancel the invoice to the cent.
  const credited = vatByRate(after.creditNotes.flatMap(({ snapshot }) => snapshot.lines));
  expect(credited.map(({ vatRateBp, grossCents }) => [vatRateBp, grossCents])).toEqual([
    [2000, 8580],
    [550, 1055],
  ]);
  const again = await requestRefund({ api, order, amount: 1 });
  expect([again.status, again.json.detail]).toEqual([
    409,
    "Il ne reste rien à rembourser sur cette commande\u00a0: tout est rendu, en cours de remboursement ou contesté.",
  ]);
});

test("a goodwill does not change the pieces", async ({ api, database: db, cards }) => {
  const order = await buy({
    api,
    db,
    cards,
    items: [{ name: "Lampe", priceCents: 2000, pieces: 2 }],
  });
  const other = await buy({ api, db, cards });
  const [line] = order.lines;
  const items = [{ item: line?.id, quantity: 1 }];
  for (const [json, sentences] of [
    [{ reason: "" }, { reason: "Indiquez le motif du remboursement." }],
    [{}, { items: "Indiquez des articles, la livraison ou un montant à rembourser." }],
    [{ amount: 0 }, { amount: "Le montant à rembourser doit être supérieur à 0." }],
    [{ amount: -1 }, { amount: "Le montant ne peut pas être négatif." }],
    [{ items: "tout" }, { items: "Les articles à rembourser doivent être une liste." }],
    [{ items: [{ item: line?.id, quantity: 0 }] }, { "items[0].quantity": expect.any(String) }],
    [
      { items: [{ item: other.lines[0]?.id, quantity: 1 }] },
      { "items[0].item": "Cet article n'est pas dans cette commande." },
    ],
    [{ items, reason: "x".repeat(501) }, { reason: expect.any(String) }],
  ] as const) {
    const { reason = "Motif", ...rest } = json as { reason?: string };
    expect(sentencesOf(await requestRefund({ api, order, reason, ...rest }))).toEqual(sentences);
  }
  for (const [json, sentence] of [
    [{ amount: 40.01 }, "Il ne reste que 40,00\u00a0€ à rembourser sur cette commande."],
    [
      { items: [{ item: line?.id, quantity: 3 }] },
      "Il ne reste que 2 exemplaires de «\u00a0Lampe\u00a0» à rembourser.",
    ],
    [{ shipping: true }, "Il n'y a plus de frais de livraison à rembourser."],
  ] as const) {
    const { status, json: answer } = await requestRefund({ api, order, ...json });
    expect([status, answer.detail]).toEqual([409, sentence]);
  }
  const withoutKey = await requestRefund({ api, order, amount: 1, key: null });
  expect(withoutKey.status).toBe(400);
  expect(withoutKey.json.detail).toContain("Idempotency-Key");
  expect((await rowsOf(db, order.id)).refunds).toEqual([]);

  const goodwill = await requestRefund({ api, order, amount: "5,50" });
  expect(goodwill.json, goodwill.text).toMatchObject({ amount: 5.5, status: "succeeded" });
  const { left } = await readRefunds({ api, order });
  expect(left).toMatchObject({ amount: 34.5, items: [{ left: 2 }] });
  const { creditNotes, order: row } = await rowsOf(db, order.id);
  expect(creditNotes[0]?.snapshot.lines).toMatchObject([
    { name: "Geste commercial", quantity: 1, unitPriceCents: 550, vatRateBp: 2000 },
  ]);
  expect(row?.status).not.toBe("cancelled");
});

test("an order that was not paid here cannot be refunded", async ({ api, database: db }) => {
  const admin = await newAdmin(db);
  const { order } = await createOrder({
    db,
    user: await createUser({ db }),
    items: [{ product: await createProduct({ db }) }],
  });
  await db.update(orders).set({ paymentIntentId: null }).where(eq(orders.id, order.id));
  const at = { id: order.id, token: admin.token };
  const { status, json } = await requestRefund({ api, order: at, amount: 1 });
  expect([status, json.detail]).toEqual([
    409,
    "Cette commande n'a pas été payée par carte dans la boutique\u00a0: elle ne peut pas être remboursée ici.",
  ]);
  expect(await readRefunds({ api, order: at })).toMatchObject({ isPaid: false });
  expect(
    (await requestRefund({ api, order: { ...at, id: 2_000_000_000 }, amount: 1 })).status,
  ).toBe(404);
});

test("shipping is refunded once, and sums are net of it", async ({ shopWith, cards }) => {
  const { api, database: db } = await shopWith({ env: { STRIPE_API_BASE: cards.url } });
  const method = await createShippingMethod({ db, name: "Colissimo", priceCents: 601 });
  const order = await buy({
    api,
    db,
    cards,
    items: [
      { priceCents: 1000, vatRateBp: 2000 },
      { priceCents: 1000, vatRateBp: 550 },
    ],
    shippingMethodId: method.id,
  });
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
  const before = await sums();
  const items = [{ item: order.lines[0]?.id, quantity: 1 }];
  const first = await requestRefund({ api, order, items, shipping: true });
  expect(first.json, first.text).toMatchObject({ amount: 16.01, shipping: 6.01 });
  expect(await sums()).toEqual({
    period: before.period - 1601,
    orders: before.orders,
    part: before.part - 1601,
  });
  const { creditNotes } = await rowsOf(db, order.id);
  expect(creditNotes[0]?.snapshot.lines.slice(1)).toMatchObject([
    { kind: "shipping", name: "Livraison – Colissimo", unitPriceCents: 301, vatRateBp: 2000 },
    { kind: "shipping", name: "Livraison – Colissimo", unitPriceCents: 300, vatRateBp: 550 },
  ]);
  const again = await requestRefund({ api, order, shipping: true });
  expect([again.status, again.json.detail]).toEqual([
    409,
    "Il n'y a plus de frais de livraison à rembourser.",
  ]);
  expect((await readRefunds({ api, order })).left).toMatchObject({ amount: 10, shipping: 0 });
});

test("the same key gives the same answer, 20 times", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => requestRefund({ api, order, key, amount: 12 })),
  );
  for (const { status, text } of answers) expect([status, text]).toEqual([201, answers[0]?.text]);
  expect(answers[0]?.json.status).toBe("succeeded");
  await expectOneRefund({ db, cards, order, cents: 1200 });
  const other = await requestRefund({ api, order, key, amount: 13 });
  expect(other.status).toBe(409);
  expect(other.json.detail).toContain("Idempotency-Key");
  await expectOneRefund({ db, cards, order, cents: 1200 });
  const history = await historyOf({
    api,
    token: order.token,
    entity: "Refund",
    id: answers[0]?.json.id ?? 0,
  });
  expect(history).toHaveLength(1);
});

test("concurrent refunds never exceed the paid amount", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards, items: [{ priceCents: 1000, pieces: 3 }] });
  const items = [{ item: order.lines[0]?.id, quantity: 2 }];
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => requestRefund({ api, order, items })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  await expectOneRefund({ db, cards, order, cents: 2000 });
});

test("a full refund settles the withdrawal", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  const post = await api.post(`/api/orders/${order.id}/withdrawal`, {
    token: order.buyer.token,
    json: { items: "" },
  });
  expect(post.status, post.text).toBeLessThan(300);
  const withdrawal = async () =>
    (await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id)))[0];
  const state = async () => (await withdrawal())?.state;
  await requestRefund({ api, order, amount: 1, reason: "Retard" });
  expect(await state()).toBe("received");
  await db.update(orderLines).set({ shippedQuantity: 1 }).where(eq(orderLines.orderId, order.id));
  expect((await readRefunds({ api, order })).left).toMatchObject({ isUnsent: false });
  await requestRefund({ api, order, amount: 41.9 });
  expect(await state()).toBe("refunded");
  expect((await rowsOf(db, order.id)).order).toMatchObject({
    refundedCents: 4290,
    cancelledAt: null,
  });
  const { id = 0 } = (await withdrawal()) ?? {};
  const { token } = order;
  const [entry, ...others] = await historyOf({ api, token, entity: "Withdrawal", id });
  expect(entry?.changes).toEqual([
    { field: "state", before: "received", after: "refunded" },
    { field: "settledAt", before: null, after: expect.any(String) },
  ]);
  expect(others).toEqual([]);
});

test("a withdrawal is settled by refunding its objects", async ({ api, database: db, cards }) => {
  const items = [
    { priceCents: 1000, pieces: 2 },
    { priceCents: 900, type: "digital" as const, downloadLink: "/downloads/guide-the.pdf" },
    { name: "Lampe Aube", priceCents: 500, pieces: 2 },
    { name: "Bol bleu", priceCents: 500 },
  ];
  const withdrawn = async (words: string, refundedBefore: number[] = []) => {
    const order = await buy({ api, db, cards, items });
    for (const line of refundedBefore)
      await requestRefund({ api, order, items: [{ item: order.lines[line]?.id, quantity: 1 }] });
    const { token } = order.buyer;
    const path = `/api/orders/${order.id}/withdrawal`;
    expect((await api.post(path, { token, json: { items: words } })).status).toBe(201);
    const refund = async (line: number, quantity: number) => {
      const item = { item: order.lines[line]?.id, quantity };
      expect((await requestRefund({ api, order, items: [item] })).status).toBe(201);
      const [row] = await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id));
      return row?.state;
    };
    return refund;
  };
  const all = await withdrawn("");
  expect(await all(1, 1), "the file is not what was withdrawn from").toBe("received");
  for (const line of [0, 2, 2, 3]) expect(await all(line, 1)).toBe("received");
  expect(await all(0, 1)).toBe("refunded");
  const named = await withdrawn("le BOL BLEU et la lampe Aube");
  expect(await named(0, 2), "something else was missing").toBe("received");
  expect(await named(2, 1)).toBe("received");
  expect(await named(3, 1)).toBe("refunded");
  // If the buyer's words do not name a product as the order does, staff decide.
  const some = await withdrawn("une des deux");
  expect(await some(0, 1)).toBe("received");
  // Earlier refunds do not count for the withdrawal.
  const again = await withdrawn("la lampe aube", [2]);
  expect(await again(3, 1)).toBe("received");
  expect(await again(2, 1)).toBe("refunded");
});

test("a refunded order cannot be withdrawn from", async ({ api, database: db, cards }) => {
  const refused = async (order: Awaited<ReturnType<typeof buy>>) => {
    const { token } = order.buyer;
    const path = `/api/orders/${order.id}/withdrawal`;
    expect((await api.get(path, { token })).json).toMatchObject({ isPossible: false });
    const { status, json } = await api.post<{ detail: string }>(path, {
      token,
      json: { items: "" },
    });
    expect([status, json.detail]).toEqual([
      409,
      "Les objets de cette commande sont déjà remboursés.",
    ]);
  };
  const cancelled = await buy({ api, db, cards });
  await requestRefund({ api, order: cancelled, amount: 1, reason: "Retard" });
  await requestRefund({ api, order: cancelled, amount: 41.9, reason: "Abandon" });
  expect((await rowsOf(db, cancelled.id)).order?.status).toBe("cancelled");
  await refused(cancelled);
  const { token, id } = cancelled;
  const history = await historyOf({ api, token, entity: "Order", id });
  const changed = history.map(({ entity, changes }) => [
    entity,
    Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])),
  ]);
  const refund = (amount: number, reason: string) =>
    expect.objectContaining({ amount: [null, amount], reason: [null, reason] });
  expect(changed).toEqual([
    ["Order", { status: ["paid", "cancelled"] }],
    ["Refund", refund(41.9, "Abandon")],
    ["Refund", refund(1, "Retard")],
  ]);
  const items = [{ priceCents: 1000 }, { priceCents: 900, type: "digital" as const }];
  const mixed = await buy({ api, db, cards, items });
  await requestRefund({ api, order: mixed, items: [{ item: mixed.lines[0]?.id, quantity: 1 }] });
  await refused(mixed);
});

test("a refunded file cannot be downloaded any more", async ({ api, database: db, cards }) => {
  const order = await buy({
    api,
    db,
    cards,
    items: [
      { type: "digital", name: "Guide", priceCents: 900, downloadLink: "/downloads/guide-the.pdf" },
      { priceCents: 500 },
    ],
  });
  const linkOf = async () => {
    const { json } = await api.get<{ items: { product: { downloadLink: string | null } }[] }>(
      `/api/orders_details/${order.id}`,
      { token: order.buyer.token },
    );
    return json.items[0]?.product.downloadLink ?? null;
  };
  const link = await linkOf();
  expect(link).toContain("/downloads/");
  await requestRefund({ api, order, items: [{ item: order.lines[0]?.id, quantity: 1 }] });
  expect(await linkOf()).toBeNull();
  expect((await api.get(String(link), { mayFail: true })).status).toBe(404);
});

test("refunded pieces go back into stock if staff want", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards, items: [{ priceCents: 1000, stock: 9, pieces: 3 }] });
  const [{ id: item, productId: bought } = {}] = order.lines;
  const productId = bought ?? 0;
  await requestRefund({ api, order, items: [{ item, quantity: 1 }] });
  expect(await stockOf(db, productId)).toBe(6);
  await requestRefund({ api, order, items: [{ item, quantity: 2 }], restock: true });
  expect(await stockOf(db, productId)).toBe(8);
  const movements = await db
    .select()
    .from(stockMovements)
    .where(and(eq(stockMovements.productId, productId), eq(stockMovements.kind, "return")));
  expect(movements).toMatchObject([{ quantity: 2, orderId: order.id }]);
});

test("pieces are not put back into the stock twice", async ({ api, database: db, cards }) => {
  const items = [
    { priceCents: 1000, stock: 20, pieces: 3 },
    { priceCents: 900, type: "digital" as const },
  ];
  const bought = async () => {
    const order = await buy({ api, db, cards, items });
    const [lamp, file] = order.lines;
    const productId = lamp?.productId ?? 0;
    const path = `/api/admin_orders/${order.id}`;
    return {
      refund: (quantity: number, restock: boolean) =>
        requestRefund({ api, order, items: [{ item: lamp?.id, quantity }], restock }),
      send: (quantity: number) =>
        api.post(`${path}/shipments`, {
          token: order.token,
          json: { carrier: "UPS", items: [{ item: lamp?.id, quantity }] },
        }),
      change: async (quantity: number) => {
        const orderItems = [
          ...(quantity > 0 ? [{ id: lamp?.id, quantity }] : []),
          { id: file?.id, quantity: 1 },
        ];
        return (await api.put(path, { token: order.token, json: { orderItems } })).status;
      },
      remove: () => api.delete(path, { token: order.token }),
      stock: () => stockOf(db, productId),
    };
  };
  const edited = await bought();
  await edited.send(2);
  await edited.refund(1, true);
  expect(await edited.stock()).toBe(18);
  expect([await edited.change(2), await edited.change(0), await edited.change(3)]).toEqual([
    422, 409, 200,
  ]);
  expect(await edited.stock()).toBe(18);

  const deleted = await bought();
  await deleted.send(1);
  await deleted.refund(1, true);
  await deleted.remove();
  expect(await deleted.stock(), "one piece has left").toBe(19);

  const broken = await bought();
  await broken.refund(1, false);
  await broken.remove();
  expect(await broken.stock(), "one piece is lost").toBe(19);
});

test("a cancelled order keeps its lines", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  const path = `/api/admin_orders/${order.id}`;
  await requestRefund({ api, order, amount: 42.9 });
  const [line] = order.lines;
  const change = (quantity: number) =>
    api.put<{ detail: string }>(path, {
      token: order.token,
      json: { orderItems: [{ id: line?.id, quantity }] },
    });
  const more = await change(2);
  expect([more.status, more.json.detail]).toEqual([
    409,
    "Cette commande est annulée\u00a0: ses articles ne se modifient plus.",
  ]);
  expect((await change(1)).status).toBe(200);

  const pending = await buy({ api, db, cards, card: "pm_card_pendingRefund" });
  const items = [{ item: pending.lines[0]?.id, quantity: 1 }];
  expect((await requestRefund({ api, order: pending, items })).json.status).toBe("pending");
  const prepared = await api.post<{ detail: string }>(`/api/admin_orders/${pending.id}/prepare`, {
    token: pending.token,
    json: {},
  });
  expect([prepared.status, prepared.json.detail]).toEqual([
    409,
    "Il ne reste rien à envoyer de cette commande.",
  ]);
});

test("staff find a credit note by e-mail and number", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  const { json } = await requestRefund({ api, order, amount: 10 });
  const search = `${order.buyer.email.toUpperCase()} & ${json.creditNoteNumber}`;
  const query = new URLSearchParams({ order: String(order.id), search });
  const list = await api.get(`/api/credit_notes?${query}`, { token: order.token });
  expect(list.json).toMatchObject({
    "hydra:totalItems": 1,
    "hydra:member": [
      {
        "@id": `/api/credit_notes/${json.creditNoteId}`,
        "@type": "CreditNote",
        number: json.creditNoteNumber,
        total: 10,
        vat: [{ rate: 20, net: 8.33, vat: 1.67, total: 10 }],
        paymentId: order.paymentId,
      },
    ],
  });
});

test.describe("begun at the provider", () => {
  test("a refund arrives by event, and is not made twice", async ({ api, database: db, cards }) => {
    const order = await buy({ api, db, cards });
    await cards.fault({ webhook: "*", effect: "twice", times: 10 });
    const { status } = await cards.call("refunds", {
      payment_intent: order.paymentId,
      amount: "1000",
    });
    expect(status).toBe(200);
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
    const cron = await api.post("/api/cron/checkouts?due=all", {
      token: shopEnv.CRON_SECRET ?? "",
    });
    expect(cron.status).toBe(200);
    await expectOneRefund({ db, cards, order, cents: 4290 });
  });

  for (const [decision, refundedCents] of [
    ["lost", 4290],
    ["won", 0],
  ] as const) {
    test(`a dispute blocks refunds until ${decision}`, async ({ api, database: db, cards }) => {
      const order = await buy({ api, db, cards });
      const isDisputed = async () =>
        (
          await api.get<{ isDisputed: boolean }>(`/api/admin_orders/${order.id}`, {
            token: order.token,
          })
        ).json.isDisputed;
      expect(await isDisputed()).toBe(false);
      await cards.dispute(order.paymentId, "needs_response");
      await expectDelivered(cards);
      expect(await isDisputed()).toBe(true);
      const open = await rowsOf(db, order.id);
      expect(open.refunds).toMatchObject([{ origin: "dispute", status: "pending" }]);
      expect(open.creditNotes).toEqual([]);
      expect((await requestRefund({ api, order, amount: 1 })).status).toBe(409);
      await cards.dispute(order.paymentId, decision);
      await expectDelivered(cards);
      expect(await isDisputed()).toBe(false);
      const closed = await rowsOf(db, order.id);
      const isLost = decision === "lost";
      expect(closed.refunds).toMatchObject([{ status: isLost ? "succeeded" : "failed" }]);
      expect(closed.creditNotes).toHaveLength(isLost ? 1 : 0);
      expect(closed.mails).toHaveLength(isLost ? 1 : 0);
      expect(closed.order?.refundedCents).toBe(refundedCents);
    });
  }
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
    const file = {
      type: "digital" as const,
      priceCents: 900,
      downloadLink: "/downloads/guide-the.pdf",
    };
    const order = await buy({ api, db, cards, items: [{ priceCents: 4290 }, file] });
    const { token } = order.buyer;
    await api.post(`/api/orders/${order.id}/withdrawal`, { token, json: { items: "" } });
    const detail = async () =>
      (
        await api.get<{ items: { product: { downloadLink: string | null } }[] }>(
          `/api/orders_details/${order.id}`,
          { token },
        )
      ).json;
    const link = (await detail()).items[1]?.product.downloadLink;
    expect(link).toContain("/downloads/");
    const atProvider = () => cards.call("refunds", { payment_intent: order.paymentId });
    const byAdmin = () => requestRefund({ api, order, amount: isGoodwillFirst ? 1 : 51.9 });
    if (isGoodwillFirst) {
      const isDown = { effect: "fail", when: "before", status: 503, times: 100 } as const;
      await cards.fault({ call: "refunds.create", ...isDown });
      expect((await byAdmin()).json).toMatchObject({ status: "pending" });
      await cards.clearFaults();
      await atProvider();
    } else await Promise.all([byAdmin(), atProvider()]);
    await expectDelivered(cards);
    const isSettled = async () => {
      await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET ?? "" });
      const { refunds } = await rowsOf(db, order.id);
      return refunds.every(({ status }) => status !== "pending");
    };
    await expect.poll(isSettled, { timeout: 30_000 }).toBe(true);
    const { order: row } = await rowsOf(db, order.id);
    expect(row).toMatchObject({ status: "cancelled", refundedCents: order.totalCents });
    const [withdrawal] = await db
      .select()
      .from(withdrawals)
      .where(eq(withdrawals.orderId, order.id));
    expect(withdrawal?.state).toBe("refunded");
    const sent = await api.post(`/api/admin_orders/${order.id}/shipments`, {
      token: order.token,
      json: { carrier: "Colissimo" },
    });
    expect(sent.status, sent.text).toBe(409);
    expect((await detail()).items[1]?.product.downloadLink).toBeNull();
    expect((await api.get(String(link), { mayFail: true })).status).toBe(404);
    const todo = await api.get<{ "hydra:member": { id: number }[] }>(
      `/api/admin_orders?todo=refund&search=${row?.number}`,
      { token: order.token },
    );
    expect(todo.json["hydra:member"], "nothing is left to be done").toEqual([]);
  });

test("a withdrawal waits for a refund being settled", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards });
  const { token } = order.buyer;
  let answer: ReturnType<typeof api.post<{ detail: string }>> | undefined;
  await db.transaction(async (settling) => {
    await settling
      .update(orders)
      .set({ refundedCents: order.totalCents, status: "cancelled" })
      .where(eq(orders.id, order.id));
    answer = api.post(`/api/orders/${order.id}/withdrawal`, {
      token,
      json: { items: "" },
      mayFail: true,
    });
    await expect.poll(() => countLockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
  });
  expect((await answer)?.status).toBe(409);
  expect((await answer)?.json.detail).toBe("Les objets de cette commande sont déjà remboursés.");
});

test("a pending refund may fail; a retry keeps the note", async ({ api, database: db, cards }) => {
  const order = await buy({ api, db, cards, card: "pm_card_pendingRefund" });
  const first = await requestRefund({ api, order, amount: 20 });
  expect(first.json).toMatchObject({ status: "pending", creditNoteNumber: null });
  const providerId = async (id: number) =>
    (await db.select().from(refunds).where(eq(refunds.id, id)))[0]?.providerId ?? "";
  await cards.settleRefund(await providerId(first.json.id), "failed");
  await expectDelivered(cards);
  const [failed] = (await readRefunds({ api, order })).refunds;
  expect(failed).toMatchObject({
    status: "failed",
    failure: "La carte du client a expiré ou a été annulée.",
  });
  const second = await requestRefund({ api, order, amount: 20 });
  await cards.settleRefund(await providerId(second.json.id), "succeeded");
  await expectDelivered(cards);
  const done = await rowsOf(db, order.id);
  expect(done.creditNotes).toMatchObject([{ refundId: second.json.id }]);
  expect(done.order?.refundedCents).toBe(2000);
  // A bank may refuse a refund that the provider has reported as done.
  await cards.settleRefund(await providerId(second.json.id), "failed");
  await expectDelivered(cards);
  expect((await rowsOf(db, order.id)).order?.refundedCents).toBe(0);
  // The credit note's refund has failed. Another refund would add a second credit note.
  const other = await requestRefund({ api, order, amount: 15 });
  expect(other.status).toBe(409);
  expect(other.json).toMatchObject({
    detail: `La banque du client a refusé après coup le remboursement de l'avoir ${done.creditNotes[0]?.number}\u00a0: remboursez d'abord exactement 20,00\u00a0€.`,
  });
  const third = await requestRefund({ api, order, amount: 20 });
  await cards.settleRefund(await providerId(third.json.id), "succeeded");
  await expectDelivered(cards);
  const last = await rowsOf(db, order.id);
  expect(last.order?.refundedCents).toBe(2000);
  expect(last.creditNotes).toMatchObject([
    { id: done.creditNotes[0]?.id, refundId: third.json.id },
  ]);
  expect(last.mails).toHaveLength(1);
  const rest = await requestRefund({ api, order, amount: 15 });
  expect(rest.status).toBe(201);
});

test("a refund and its author's erasure do not block", async ({ api, database: db, cards }) => {
  const items = [{ priceCents: 2000 }];
  const order = await buy({ api, db, cards, card: "pm_card_pendingRefund", items });
  const all = [{ item: order.lines[0]?.id, quantity: 1 }];
  const { json } = await requestRefund({ api, order, items: all });
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
  const done = await rowsOf(db, order.id);
  expect(done.refunds).toMatchObject([{ status: "succeeded", createdBy: null }]);
  expect(done.order?.status).toBe("cancelled");
});

test("the retry of a refund puts its pieces back once", async ({ api, database: db, cards }) => {
  const order = await buy({
    api,
    db,
    cards,
    card: "pm_card_pendingRefund",
    items: [{ priceCents: 1000, stock: 5, pieces: 2 }],
  });
  const productId = order.lines[0]?.productId ?? 0;
  const refund = async () => {
    const items = [{ item: order.lines[0]?.id, quantity: 1 }];
    const { json } = await requestRefund({ api, order, items, restock: true });
    const [row] = await db.select().from(refunds).where(eq(refunds.id, json.id));
    return row?.providerId ?? "";
  };
  const settle = async (id: string, status: "succeeded" | "failed") => {
    await cards.settleRefund(id, status);
    await expectDelivered(cards);
    return stockOf(db, productId);
  };
  const first = await refund();
  expect(await settle(first, "succeeded")).toBe(4);
  expect(await settle(first, "failed")).toBe(4);
  expect(await settle(await refund(), "succeeded"), "the piece is there already").toBe(4);
  expect(await settle(await refund(), "succeeded"), "another piece").toBe(5);
});

test("an order cannot be deleted during a refund", async ({ api, database: db, cards }) => {
  const order = await buy({
    api,
    db,
    cards,
    card: "pm_card_pendingRefund",
    items: [
      { priceCents: 6000, vatRateBp: 2000 },
      { priceCents: 4000, vatRateBp: 550 },
    ],
  });
  const items = [{ item: order.lines[0]?.id, quantity: 1 }];
  const { json } = await requestRefund({ api, order, items });
  const remove = () =>
    api.delete<{ detail: string }>(`/api/admin_orders/${order.id}`, {
      token: order.token,
      mayFail: true,
    });
  const early = await remove();
  expect([early.status, early.json.detail]).toEqual([
    409,
    "Un remboursement de cette commande est en cours\u00a0: elle pourra être supprimée quand il sera fait.",
  ]);
  const [row] = await db.select().from(refunds).where(eq(refunds.id, json.id));
  await cards.settleRefund(row?.providerId ?? "", "succeeded");
  await expectDelivered(cards);
  expect((await rowsOf(db, order.id)).creditNotes[0]?.snapshot.lines).toMatchObject([
    { unitPriceCents: 6000, vatRateBp: 2000 },
  ]);
  expect((await remove()).status).toBe(204);

  const { json: rest } = await cards.call("refunds", { payment_intent: order.paymentId });
  await cards.settleRefund(String(rest.id), "succeeded");
  await expectDelivered(cards);
  const notes = await db
    .select()
    .from(creditNotes)
    .where(eq(creditNotes.userId, order.buyer.id))
    .orderBy(creditNotes.id);
  expect(notes.map(({ totalCents }) => totalCents)).toEqual([6000, 4000]);
  const mails = await db
    .select()
    .from(mailOutbox)
    .where(
      and(eq(mailOutbox.recipient, order.buyer.email), eq(mailOutbox.template, "credit-note")),
    );
  expect(mails).toHaveLength(2);
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
  const ofPayment = eq(paymentClosures.paymentIntentId, paymentId);
  await db
    .update(checkouts)
    .set({ status: "cancelled" })
    .where(eq(checkouts.paymentIntentId, paymentId));
  await cards.pay(secret, "pm_card_pendingRefund");
  const outcome = async () =>
    (await db.select().from(paymentClosures).where(ofPayment))[0]?.outcome;
  await expect
    .poll(async () => {
      await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET ?? "" });
      return outcome();
    })
    .toBe("refunded");
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
  await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET ?? "" });
  expect(lines()).toHaveLength(length);
});
