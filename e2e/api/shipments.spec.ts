import { eq } from "drizzle-orm";
import { extractText, getDocumentProxy } from "unpdf";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orderLines, orders } from "@/db/schema/orders";
import { refundLines, refunds } from "@/db/schema/refunds";
import { shipmentLines, shipments } from "@/db/schema/shipments";
import { withdrawals } from "@/db/schema/withdrawals";
import type { OrderStatus } from "@/lib/shop/order-status";
import { tokenOf } from "../accounts";
import { historyOf, linesOfCsv, newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";
import { plainSpaces } from "../storefront";

const TRACKING = "6A12345678901";
const TRACKING_URL = `https://www.laposte.fr/outils/suivre-vos-envois?code=${TRACKING}`;

interface Order {
  id: number;
  status: string;
  shipments: object[];
  history: { status: string; date: string }[];
}

/** An order of three lamps and a file, with the calls of its buyer and of staff. */
async function arrange({ api, db, lamps = 3 }: { api: Api; db: Database; lamps?: number }) {
  const user = await createUser({ db });
  const lamp = await createProduct({ db, name: "Lampe Aube" });
  const guide = await createProduct({ db, name: "Guide des thés", type: "digital" });
  const { order, lines } = await createOrder({
    db,
    user,
    items: [...(lamps > 0 ? [{ product: lamp, quantity: lamps }] : []), { product: guide }],
  });
  const { token } = await newAdmin(db);
  const buyer = await tokenOf(user);
  const path = `/api/admin_orders/${order.id}`;
  const take = (step: "prepare" | "deliver" | "shipments", json?: object) =>
    api.post<{ id: number }>(`${path}/${step}`, { token, json });
  return {
    user,
    order,
    lampLine: Number(lines[0]?.id),
    fileLine: Number(lines.at(-1)?.id),
    token,
    buyer,
    path,
    take,
    send: (json: object = {}) => take("shipments", { carrier: "UPS", ...json }),
    read: async () =>
      (
        await api.get<Order>(`/api/orders_details/${order.id}`, {
          token: buyer,
          accept: "application/json",
        })
      ).json,
    parcels: () => db.select().from(shipments).where(eq(shipments.orderId, order.id)),
  };
}

test("an order is prepared, sent and delivered", async ({ api, database: db, mailbox }) => {
  const { user, order, lampLine, token, buyer, path, take, read } = await arrange({ api, db });
  const { id } = order;
  const prepared = { message: "Commande en préparation.", id, status: "preparing" };
  expect((await take("prepare")).json).toEqual(prepared);
  const sent = await take("shipments", {
    carrier: "colissimo",
    trackingNumber: ` ${TRACKING} `,
  });
  expect(sent.status, sent.text).toBe(201);
  const parcel = {
    id: sent.json.id,
    carrier: "Colissimo",
    trackingNumber: TRACKING,
    trackingUrl: TRACKING_URL,
    shippedAt: expect.any(String),
    deliveredAt: null,
    items: [{ item: lampLine, name: "Lampe Aube", quantity: 3 }],
  };
  expect(sent.headers.location).toBe(`/api/shipments/${parcel.id}`);
  expect(sent.json).toEqual({
    "@context": "/api/contexts/Shipment",
    "@id": `/api/shipments/${parcel.id}`,
    "@type": "Shipment",
    ...parcel,
    order: path,
    version: 1,
  });
  const mail = await mailbox.waitForMail({ to: user.email });
  expect(mail.subject).toBe(`Votre commande ${order.number} est expédiée`);
  expect(plainSpaces(mail.text)).toContain("3 × Lampe Aube");
  expect(mail.html).toContain(`href="${TRACKING_URL}"`);
  expect(await read()).toMatchObject({ status: "shipped", itemsCount: 4, shippedItems: 4 });

  const delivered = { message: "Commande livrée.", id, status: "delivered" };
  expect((await take("deliver")).json).toEqual(delivered);
  const { history, shipments: parcels } = await read();
  const states = ["paid", "preparing", "shipped", "delivered"];
  expect(history.map(({ status }) => status)).toEqual(states);
  // Only staff see versions.
  expect(parcels).toEqual([{ ...parcel, deliveredAt: history.at(-1)?.date }]);
  const [listed] = (await api.get<Order[]>("/api/my-orders", { token: buyer })).json;
  expect(listed).toMatchObject({ status: "delivered", shippedItems: 4, itemsCount: 4 });
  const changes = (await historyOf({ api, token, entity: "Order", id })).map((entry) =>
    entry.changes.find(({ field }) => field === "status"),
  );
  expect(changes.map((change) => change?.after)).toEqual(states.slice(1).reverse());
});

test("an order is sent in parts, as its mails say", async ({ api, database: db, mailbox }) => {
  const { user, order, lampLine, take, send, read } = await arrange({ api, db });
  // The file counts as shipped.
  expect(await read()).toMatchObject({ status: "paid", itemsCount: 4, shippedItems: 1 });
  const items = [{ item: String(lampLine), quantity: "1" }];
  const first = await send({ carrier: "Coursier du quartier", items });
  expect(first.json).toMatchObject({ trackingNumber: null, trackingUrl: null });
  expect(await read()).toMatchObject({
    status: "preparing",
    shippedItems: 2,
    items: [{ shippedQuantity: 1, toSend: 2 }, {}],
  });
  const early = await take("deliver");
  expect([early.status, early.json]).toMatchObject([
    409,
    { error: "Cette commande n'est pas encore expédiée." },
  ]);
  const subject = `Un colis de votre commande ${order.number} est parti`;
  const mail = await mailbox.waitForMail({ to: user.email, subject });
  expect(plainSpaces(mail.text).replace(/\s+/g, " ")).toContain(
    "Le reste vous sera envoyé séparément : 2 × Lampe Aube.",
  );
  const second = await send({
    trackingNumber: "1Z 999/É",
    items: [{ item: `/api/order_items/${lampLine}`, quantity: 2 }],
  });
  expect(second.json).toMatchObject({
    trackingUrl: "https://www.ups.com/track?loc=fr_FR&tracknum=1Z%20999%2F%C3%89",
  });
  expect(await read()).toMatchObject({
    status: "shipped",
    shippedItems: 4,
    shipments: [{ items: [{ quantity: 1 }] }, { items: [{ quantity: 2 }] }],
  });
});

test("a step that does not follow is 409 and changes nothing", async ({ api, database: db }) => {
  const { order, token, take, parcels } = await arrange({ api, db });
  const json = { carrier: "GLS", trackingNumber: "G1" };
  const all = ["prepare", "shipments", "deliver"] as const;
  for (const [status, steps, words] of [
    ["delivered", all, "est déjà livrée"],
    ["cancelled", all, "est annulée"],
    ["shipped", ["prepare", "shipments"], "est déjà expédiée"],
    ["preparing", ["prepare"], "est déjà en préparation"],
    ["preparing", ["deliver"], "n'est pas encore expédiée"],
  ] as const) {
    await db.update(orders).set({ status }).where(eq(orders.id, order.id));
    for (const step of steps) {
      const refused = await take(step, json);
      expect([refused.status, refused.json], `${step} ${status}`).toMatchObject([
        409,
        { error: `Cette commande ${words}.` },
      ]);
    }
  }
  expect(await parcels()).toEqual([]);
  for (const step of all) {
    const { status } = await api.post(`/api/admin_orders/2000000000/${step}`, { token, json });
    expect(status, step).toBe(404);
  }
});

test("bad input is refused with a sentence, and sends nothing", async ({ api, database: db }) => {
  const { order, lampLine, fileLine, send, parcels, user } = await arrange({ api, db });
  const other = await arrange({ api, db });
  const expectRefused = async (json: object, sentences: object) =>
    expect(sentencesOf(await send(json)), JSON.stringify(json)).toEqual(sentences);
  for (const carrier of [undefined, " \u200b", 7])
    await expectRefused({ carrier }, { carrier: "Veuillez choisir un transporteur." });
  const INVISIBLE = "Le numéro de suivi ne peut contenir que des caractères visibles.";
  for (const [trackingNumber, sentence] of [
    ["6A\u0007", INVISIBLE],
    ["6A\n12", INVISIBLE],
    ["6\u200bA", INVISIBLE],
    ["\u202e12", INVISIBLE],
    // The same rule as for every text.
    ["X\ud800", "Ce texte contient un caractère interdit."],
    ["A".repeat(65), "Ce champ doit contenir au plus 64 caractères."],
  ])
    await expectRefused({ trackingNumber }, { trackingNumber: sentence });

  await expectRefused({ items: [] }, { items: "Veuillez indiquer au moins un article." });
  for (const [item, sentence] of [
    [other.lampLine, "Cet article ne fait pas partie de la commande."],
    [2_000_000_000, "Cet article ne fait pas partie de la commande."],
    ["abc", "Cette valeur doit être l'identifiant d'un article de la commande."],
    [undefined, "Veuillez indiquer un article de la commande."],
    [fileLine, "Cet article est un fichier\u00a0: il n'y a rien à envoyer."],
  ] as const)
    await expectRefused({ items: [{ item, quantity: 1 }] }, { "items[0].item": sentence });
  for (const [quantity, sentence] of [
    [0, "La quantité doit être d'au moins 1."],
    [4, "Il ne reste que 3 pièces de cet article à envoyer."],
  ] as const)
    await expectRefused(
      { items: [{ item: lampLine, quantity }] },
      { "items[0].quantity": sentence },
    );
  await expectRefused(
    { items: [lampLine, String(lampLine)].map((item) => ({ item, quantity: 1 })) },
    { "items[1].item": "Cet article est indiqué deux fois." },
  );
  expect(await parcels()).toEqual([]);
  expect(await queuedMails(db, user.email)).toEqual([]);
  const [untouched] = await db.select().from(orders).where(eq(orders.id, order.id));
  expect(untouched).toMatchObject({ status: "paid", version: 1 });
});

const twenty = <T>(act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => act(index)));

for (const [name, json, count] of [
  ["all of it", { trackingNumber: "XY1" }, 3],
  ["a part", { trackingNumber: "XY1" }, 1],
  ["a part of the version that was seen", { version: 1 }, 1],
] as const)
  test(`20 times at once, ${name} makes one parcel and one mail`, async ({ api, database: db }) => {
    const { user, lampLine, send, parcels } = await arrange({ api, db });
    const part = count < 3 && { items: [{ item: lampLine, quantity: count }] };
    const statusOf = async () => (await send({ ...json, ...part })).status;
    expect((await twenty(statusOf)).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await statusOf()).toBe(409);
    const [parcel, ...others] = await parcels();
    expect(others).toEqual([]);
    const contents = await db
      .select()
      .from(shipmentLines)
      .where(eq(shipmentLines.shipmentId, Number(parcel?.id)));
    expect(contents).toMatchObject([{ orderLineId: lampLine, quantity: count }]);
    const [line] = await db.select().from(orderLines).where(eq(orderLines.id, lampLine));
    expect(line?.shippedQuantity).toBe(count);
    expect(await queuedMails(db, user.email)).toHaveLength(1);
  });

test("every other step is made once, too, if asked at once", async ({ api, database: db }) => {
  const { order, token, take, send } = await arrange({ api, db });
  const once = [200, ...Array(19).fill(409)];
  const statusOf = (step: "prepare" | "deliver") => async () => (await take(step)).status;
  expect((await twenty(statusOf("prepare"))).sort()).toEqual(once);
  await send();
  expect((await twenty(statusOf("deliver"))).sort()).toEqual(once);
  expect(await historyOf({ api, token, entity: "Order", id: order.id })).toHaveLength(3);
});

test("parts sent at once never exceed the order", async ({ api, database: db }) => {
  const { lampLine, send, parcels } = await arrange({ api, db });
  const items = [{ item: lampLine, quantity: 1 }];
  const answers = await twenty((index) => send({ trackingNumber: `U${index}`, items }));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(3).fill(201), ...Array(17).fill(409)]);
  expect(await parcels()).toHaveLength(3);
});

test("carrier and tracking number can be corrected", async ({ api, database: db }) => {
  const { token, path, send, user, order } = await arrange({ api, db });
  const sent = await send({ carrier: "Colissimo", trackingNumber: "FAUX" });
  const at = `/api/shipments/${sent.json.id}`;
  const change = (json: object) => api.put<object>(at, { token, json });
  const changed = await change({ trackingNumber: TRACKING });
  const current = { carrier: "Colissimo", trackingNumber: TRACKING, version: 2 };
  expect(changed.json).toMatchObject({ ...current, trackingUrl: TRACKING_URL });
  expect((await api.get(at, { token })).json).toEqual(changed.json);
  const stale = await change({ carrier: "UPS", version: 1 });
  const error = "Cet objet a été modifié entre-temps.";
  expect([stale.status, stale.json]).toMatchObject([409, { error, current }]);
  expect((await api.get<Order>(path, { token })).json.shipments).toMatchObject([
    { "@type": "AdminOrderShipment", version: 2 },
  ]);
  expect(sentencesOf(await change({ carrier: "" }))).toEqual({
    carrier: "Veuillez choisir un transporteur.",
  });
  const cleared = await change({ trackingNumber: "" });
  expect(cleared.json).toMatchObject({ trackingNumber: null, trackingUrl: null });
  expect((await api.put("/api/shipments/2000000000", { token, json: {} })).status).toBe(404);
  // The buyer got one mail for one parcel.
  expect(await queuedMails(db, user.email)).toHaveLength(1);
  const history = await historyOf({ api, token, entity: "Order", id: order.id });
  expect(history).toHaveLength(3);
  for (const { changes } of history)
    expect(changes.map(({ field }) => field)).toContain("shipments");
});

test("an order of files alone is delivered as soon as it exists", async ({ api, database: db }) => {
  const { token, buyer, user } = await arrange({ api, db });
  const { id: product } = await createProduct({ db, type: "digital" });
  const place = (kind: string) => ({
    [`${kind}Street`]: "1 rue",
    [`${kind}City`]: "Lyon",
    [`${kind}PostalCode`]: "69001",
  });
  const { json: order } = await api.post<Order>("/api/admin_orders", {
    token,
    json: {
      user: user.id,
      orderItems: [{ product, quantity: 2 }],
      total: 5,
      ...place("shipping"),
      ...place("billing"),
      invoice_pdf_path: "-",
    },
  });
  expect(order).toMatchObject({ status: "delivered", shippedItems: 2, itemsCount: 2 });
  const detail = await api.get(`/api/orders_details/${order.id}`, { token: buyer });
  expect(detail.json).toMatchObject({ history: [{ status: "paid" }, { status: "delivered" }] });
});

test("staff cannot remove shipped pieces from an order", async ({ api, database: db }) => {
  const { order, lampLine, fileLine, token, path, send, parcels } = await arrange({ api, db });
  await send({ items: [{ item: lampLine, quantity: 2 }] });
  const change = (...orderItems: object[]) =>
    api.put<object>(path, { token, json: { orderItems } });
  const file = { id: fileLine, quantity: 1 };
  expect(sentencesOf(await change({ id: lampLine, quantity: 1 }, file))).toEqual({
    "orderItems[0].quantity":
      "2 pièces sont déjà expédiées ou remboursées\u00a0: la quantité ne peut pas être inférieure.",
  });
  const removed = await change(file);
  const error = "Un article déjà expédié ou remboursé ne peut pas être retiré de la commande.";
  expect([removed.status, removed.json]).toMatchObject([409, { error }]);
  expect(await db.$count(orderLines, eq(orderLines.orderId, order.id))).toBe(2);
  // The pieces left to send decide the state.
  const shorter = await change({ id: lampLine, quantity: 2 }, file);
  expect(shorter.json).toMatchObject({ status: "shipped", shippedItems: 3, itemsCount: 3 });
  const longer = await change({ id: lampLine, quantity: 5 }, { id: fileLine, quantity: 2 });
  expect(longer.json).toMatchObject({
    status: "preparing",
    shippedItems: 4,
    itemsCount: 7,
    orderItems: [{ shippedQuantity: 2, toSend: 3 }, {}],
  });
  expect((await api.delete(path, { token })).status).toBe(204);
  expect(await parcels()).toEqual([]);
});

/** A refund of 1 € that staff asked for. */
const refundOf = (
  { id: orderId, paymentIntentId }: { id: number; paymentIntentId: string | null },
  status: "succeeded" | "failed",
) => ({
  orderId,
  paymentIntentId: String(paymentIntentId),
  origin: "staff" as const,
  status,
  amountCents: 100,
  reason: "Rupture",
});

test("refunded pieces need not be sent", async ({ api, database: db }) => {
  const { order, lampLine, send, read } = await arrange({ api, db });
  for (const status of ["succeeded", "failed"] as const) {
    const [refund] = await db.insert(refunds).values(refundOf(order, status)).returning();
    const line = { refundId: Number(refund?.id), orderLineId: lampLine };
    await db.insert(refundLines).values({ ...line, quantity: 1, amountCents: 100 });
  }
  expect(sentencesOf(await send({ items: [{ item: lampLine, quantity: 3 }] }))).toEqual({
    "items[0].quantity": "Il ne reste que 2 pièces de cet article à envoyer.",
  });
  expect((await send()).json).toMatchObject({ items: [{ quantity: 2 }] });
  expect((await read()).status).toBe("shipped");
});

test("a buyer who closed the account gets no mail", async ({ api, database: db }) => {
  const { send, parcels, buyer, user } = await arrange({ api, db });
  expect((await api.delete("/api/account/delete/hard", { token: buyer })).status).toBe(200);
  await send();
  expect(await parcels()).toHaveLength(1);
  expect(await queuedMails(db, user.email)).toEqual([]);
});

test("an order is found by its parcel's number, as typed", async ({ api, database: db }) => {
  const { token, order, send } = await arrange({ api, db });
  const other = await arrange({ api, db });
  const serial = String(order.id).padStart(7, "0");
  await send({ trackingNumber: `6A 12345-${serial}` });
  await other.send({ trackingNumber: `9${serial}` });
  for (const list of ["/api/admin_orders", "/api/orders"])
    for (const [search, ids] of [
      [`6A12345${serial}`, [order.id]],
      [` 6a 12345 ${serial} `, [order.id]],
      // Mondial Relay's numbers have eight digits, so they could also be ids.
      [`9${serial}`, [other.order.id]],
      [`6A12345${serial}0`, []],
      [`6A12345${serial.slice(0, -1)}`, []],
    ] as const) {
      const path = `${list}?${new URLSearchParams({ search })}`;
      const found = await api.get(path, { token, accept: "application/json" });
      expect(found.json, path).toMatchObject(ids.map((id) => ({ id })));
    }
});

test("orders are filtered by work, and exported with their parcels", async ({
  api,
  database: db,
}) => {
  const user = await createUser({ db });
  const { token } = await newAdmin(db);
  const product = await createProduct({ db });
  const create = async (status: OrderStatus) =>
    (await createOrder({ db, user, items: [{ product }], status })).order;
  const [paid, preparing] = [await create("paid"), await create("preparing")];
  const [shipped, delivered] = [await create("shipped"), await create("delivered")];
  const cancelled = await create("cancelled");
  await db.insert(withdrawals).values([
    { orderId: shipped.id, userId: user.id },
    { orderId: delivered.id, userId: user.id, state: "refunded" },
  ]);
  await db.insert(refunds).values(refundOf(cancelled, "failed"));
  const list = `/api/admin_orders?user=${user.id}`;
  for (const [query, found] of Object.entries({
    "todo=prepare": [paid],
    "todo=ship": [preparing],
    "todo=refund": [cancelled, shipped],
    "todo=refund&status=shipped&order[total]=asc": [shipped],
  })) {
    const { json } = await api.get(`${list}&${query}`, { token });
    expect(json, query).toMatchObject({
      "hydra:totalItems": found.length,
      "hydra:member": found.map(({ id }) => ({ id })),
    });
  }
  const json = { carrier: "GLS", trackingNumber: "G7" };
  await api.post(`/api/admin_orders/${paid.id}/shipments`, { token, json });
  const [heads = [], ...rows] = linesOfCsv(
    await api.get(`${list}&status=shipped&order[id]=asc`, { token, accept: "text/csv" }),
  );
  const columns = ["État", "Pièces", "Pièces expédiées", "Suivi"];
  expect(rows.map((row) => columns.map((name) => row[heads.indexOf(name)]))).toEqual([
    ["Expédiée", "1", "1", "GLS G7"],
    ["Expédiée", "1", "0", ""],
  ]);
});

test("packing slips of orders are one PDF, without prices", async ({ api, shop, database: db }) => {
  const PATH = "/api/packing_slips";
  const first = await arrange({ api, db });
  const second = await arrange({ api, db });
  const files = await arrange({ api, db, lamps: 0 });
  const { token } = first;
  await second.send({ items: [{ item: second.lampLine, quantity: 1 }] });
  const response = await fetch(`${shop.baseURL}${PATH}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ orders: [second.order.id, first.path, files.order.id] }),
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": expect.stringContaining("bons-de-preparation.pdf"),
    "cache-control": expect.stringContaining("no-store"),
  });
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  const { text } = await extractText(pdf, { mergePages: false });
  // The pages are in the requested order. Shipped pieces and files are not on them.
  expect(text.map((page) => page.replace(/\s+/g, " "))).toEqual([
    expect.stringMatching(`${second.order.number}.*2 pièces à emballer`),
    expect.stringMatching(`${first.order.number}.*3 Lampe Aube`),
  ]);
  expect(text.join(" ")).not.toMatch(/Guide des thés|€/);

  for (const [list, sentences] of [
    [[], { orders: "Veuillez indiquer au moins une commande." }],
    [[first.order.id, 2_000_000_000], { "orders[1]": "Cette commande n'existe pas." }],
    [[files.order.id], { orders: "Ces commandes n'ont plus rien à envoyer." }],
    [
      Array.from({ length: 101 }, (_, index) => index + 1),
      { orders: "On peut imprimer au plus 100 bons à la fois." },
    ],
  ] as const)
    expect(sentencesOf(await api.post(PATH, { token, json: { orders: list } }))).toEqual(sentences);
});
