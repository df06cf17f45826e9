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
import { type Refusal, tokenOf } from "../accounts";
import { historyOf, linesOfCsv, newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";
import type { Collection } from "../representation";
import { plainSpaces } from "../storefront";

const TRACKING = "6A12345678901";
const TRACKING_URL = `https://www.laposte.fr/outils/suivre-vos-envois?code=${TRACKING}`;

interface Shipment {
  "@id"?: string;
  id: number;
  carrier: string;
  trackingNumber: string | null;
  trackingUrl: string | null;
  shippedAt: string;
  deliveredAt: string | null;
  items: { item: number; name: string; quantity: number }[];
  order: string;
  version: number;
}

interface Order {
  id: number;
  status: string;
  itemsCount: number;
  shippedItems: number;
  shipments: Shipment[];
  history: { status: string; date: string }[];
  items: { id: number; quantity: number; shippedQuantity: number; toSend: number }[];
  orderItems: { id: number; shippedQuantity: number; toSend: number }[];
  version: number;
}

/** An order of three lamps and a file, its buyer, and an administrator. */
async function arrange(
  db: Database,
  { lamps = 3, files = 1 }: { lamps?: number; files?: number } = {},
) {
  const user = await createUser({ db });
  const lamp = await createProduct({ db, name: "Lampe Aube" });
  const guide = await createProduct({ db, name: "Guide des thés", type: "digital" });
  const { order, lines } = await createOrder({
    db,
    user,
    items: [
      ...(lamps > 0 ? [{ product: lamp, quantity: lamps }] : []),
      ...(files > 0 ? [{ product: guide, quantity: files }] : []),
    ],
  });
  const { token } = await newAdmin(db);
  return {
    user,
    order,
    lamp,
    lines,
    lampLine: Number(lines[0]?.id),
    fileLine: Number(lines.at(-1)?.id),
    token,
    buyer: await tokenOf(user),
    path: `/api/admin_orders/${order.id}`,
  };
}

const parcelsOf = (db: Database, orderId: number) =>
  db.select().from(shipments).where(eq(shipments.orderId, orderId));

async function detailOf({ api, id, token }: { api: Api; id: number; token: string }) {
  const { status, json, text } = await api.get<Order>(`/api/orders_details/${id}`, {
    token,
    accept: "application/json",
  });
  expect(status, text).toBe(200);
  return json;
}

test("an order is prepared, sent and delivered", async ({ api, database: db, mailbox }) => {
  const { user, order, lampLine, token, buyer, path } = await arrange(db);
  const prepared = await api.post(`${path}/prepare`, { token });
  expect([prepared.status, prepared.json]).toEqual([
    200,
    { message: "Commande en préparation.", id: order.id, status: "preparing" },
  ]);
  const sent = await api.post<Shipment>(`${path}/shipments`, {
    token,
    json: { carrier: "colissimo", trackingNumber: ` ${TRACKING} ` },
  });
  expect(sent.status, sent.text).toBe(201);
  const { id } = sent.json;
  expect(sent.headers.location).toBe(`/api/shipments/${id}`);
  expect(sent.json).toEqual({
    "@context": "/api/contexts/Shipment",
    "@id": `/api/shipments/${id}`,
    "@type": "Shipment",
    id,
    carrier: "Colissimo",
    trackingNumber: TRACKING,
    trackingUrl: TRACKING_URL,
    shippedAt: expect.any(String),
    deliveredAt: null,
    items: [{ item: lampLine, name: "Lampe Aube", quantity: 3 }],
    order: path,
    version: 1,
  });
  const mail = await mailbox.waitForMail({ to: user.email });
  expect(mail.subject).toBe(`Votre commande ${order.number} est expédiée`);
  const text = plainSpaces(mail.text).replace(/\s+/g, " ");
  for (const part of [
    "Contenu : 3 × Lampe Aube",
    "Livraison : 12 rue des Lilas, 69003 Lyon",
    "Transporteur : Colissimo",
    `Numéro de suivi : ${TRACKING}`,
    TRACKING_URL,
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("Le reste vous sera envoyé");
  expect(mail.html).toContain(`href="${TRACKING_URL}"`);

  const shipped = await detailOf({ api, id: order.id, token: buyer });
  expect(shipped).toMatchObject({ status: "shipped", itemsCount: 4, shippedItems: 4 });
  const { order: _, version: __, "@id": ___, ...parcel } = sent.json;
  const plain = JSON.parse(JSON.stringify(parcel));
  delete plain["@type"];
  delete plain["@context"];
  expect(shipped.shipments).toEqual([plain]);
  expect(shipped.history.map(({ status }) => status)).toEqual(["paid", "preparing", "shipped"]);

  expect((await api.post(`${path}/deliver`, { token })).json).toEqual({
    message: "Commande livrée.",
    id: order.id,
    status: "delivered",
  });
  const delivered = await detailOf({ api, id: order.id, token: buyer });
  expect(delivered.history.map(({ status }) => status)).toEqual([
    "paid",
    "preparing",
    "shipped",
    "delivered",
  ]);
  expect(delivered.shipments[0]?.deliveredAt).toBe(delivered.history.at(-1)?.date);
  const [listed] = (await api.get<Order[]>("/api/my-orders", { token: buyer })).json;
  expect(listed).toMatchObject({ status: "delivered", shippedItems: 4, itemsCount: 4 });

  const history = await historyOf({ api, token, entity: "Order", id: order.id });
  const states = history.map(
    ({ changes }) => changes.find(({ field }) => field === "status")?.after,
  );
  expect(states).toEqual(["delivered", "shipped", "preparing"]);
});

test("an order is sent in parts, as its mails say", async ({ api, database: db, mailbox }) => {
  const { user, order, lampLine, token, buyer, path } = await arrange(db);
  // The file counts as shipped.
  const paid = await detailOf({ api, id: order.id, token: buyer });
  expect(paid).toMatchObject({ status: "paid", itemsCount: 4, shippedItems: 1 });
  const first = await api.post<Shipment>(`${path}/shipments`, {
    token,
    json: {
      carrier: "Coursier du quartier",
      items: [{ item: String(lampLine), quantity: "1" }],
    },
  });
  expect(first.status, first.text).toBe(201);
  expect(first.json).toMatchObject({ trackingNumber: null, trackingUrl: null });
  const partly = await detailOf({ api, id: order.id, token: buyer });
  expect(partly).toMatchObject({ status: "preparing", itemsCount: 4, shippedItems: 2 });
  expect(partly.items[0]).toMatchObject({ shippedQuantity: 1, toSend: 2 });
  const early = await api.post<Refusal>(`${path}/deliver`, { token });
  expect([early.status, early.json.error]).toEqual([
    409,
    "Cette commande n'est pas encore expédiée.",
  ]);
  const mail = await mailbox.waitForMail({
    to: user.email,
    subject: `Un colis de votre commande ${order.number} est parti`,
  });
  const text = plainSpaces(mail.text).replace(/\s+/g, " ");
  expect(text).toContain("Contenu : 1 × Lampe Aube");
  expect(text).toContain("Le reste vous sera envoyé séparément : 2 × Lampe Aube.");
  expect(text).not.toContain("Numéro de suivi");

  const second = await api.post<Shipment>(`${path}/shipments`, {
    token,
    json: {
      carrier: "UPS",
      trackingNumber: "1Z 999/É",
      items: [{ item: `/api/order_items/${lampLine}`, quantity: 2 }],
    },
  });
  expect(second.json.trackingUrl).toBe(
    "https://www.ups.com/track?loc=fr_FR&tracknum=1Z%20999%2F%C3%89",
  );
  await mailbox.waitForMail({
    to: user.email,
    subject: `Votre commande ${order.number} est expédiée`,
  });
  const whole = await detailOf({ api, id: order.id, token: buyer });
  expect(whole).toMatchObject({ status: "shipped", shippedItems: 4 });
  expect(whole.shipments.map(({ items }) => items[0]?.quantity)).toEqual([1, 2]);
});

test("a step that does not follow is 409 and changes nothing", async ({ api, database: db }) => {
  const { order, token, path } = await arrange(db);
  const send = () =>
    api.post<Refusal>(`${path}/shipments`, {
      token,
      json: { carrier: "GLS", trackingNumber: "G1" },
    });
  const prepare = () => api.post<Refusal>(`${path}/prepare`, { token });
  const deliver = () => api.post<Refusal>(`${path}/deliver`, { token });
  const refusedAs = async (
    status: "paid" | "preparing" | "shipped" | "delivered" | "cancelled",
  ) => {
    await db.update(orders).set({ status }).where(eq(orders.id, order.id));
    const answers = [await prepare(), await deliver(), await send()];
    for (const answer of answers) if (answer.status < 300) throw new Error(answer.text);
    return answers.map(({ status: code, json }) => `${code} ${json.error}`);
  };
  const already = (words: string) => `409 Cette commande est ${words}.`;
  expect(await refusedAs("delivered")).toEqual(Array(3).fill(already("déjà livrée")));
  expect(await refusedAs("cancelled")).toEqual(Array(3).fill(already("annulée")));
  await db.update(orders).set({ status: "shipped" }).where(eq(orders.id, order.id));
  expect((await prepare()).json.error).toBe("Cette commande est déjà expédiée.");
  expect((await send()).json.error).toBe("Cette commande est déjà expédiée.");
  await db.update(orders).set({ status: "preparing" }).where(eq(orders.id, order.id));
  expect((await prepare()).json.error).toBe("Cette commande est déjà en préparation.");
  expect((await deliver()).json.error).toBe("Cette commande n'est pas encore expédiée.");
  expect(await parcelsOf(db, order.id)).toEqual([]);
  for (const step of ["prepare", "deliver", "shipments"])
    expect(
      (await api.post(`/api/admin_orders/2000000000/${step}`, { token, json: { carrier: "UPS" } }))
        .status,
    ).toBe(404);
});

test("bad input is refused with a sentence, and sends nothing", async ({ api, database: db }) => {
  const { order, lampLine, fileLine, token, path, user } = await arrange(db);
  const other = await arrange(db);
  const refused = async (json: unknown) =>
    sentencesOf(await api.post(`${path}/shipments`, { token, json }));
  const items = (...list: unknown[]) => ({ carrier: "DPD", trackingNumber: "D1", items: list });
  for (const carrier of [undefined, " \u200b", 7])
    expect(await refused({ carrier, trackingNumber: "X" }), String(carrier)).toEqual({
      carrier: "Veuillez choisir un transporteur.",
    });
  for (const trackingNumber of ["6A\u0007", "6A\n12", "6\u200bA", "\u202e12"])
    expect(await refused({ carrier: "UPS", trackingNumber }), trackingNumber).toEqual({
      trackingNumber: "Le numéro de suivi ne peut contenir que des caractères visibles.",
    });
  // The same rule as for every text.
  expect(await refused({ carrier: "UPS", trackingNumber: "X\ud800" })).toEqual({
    trackingNumber: "Ce texte contient un caractère interdit.",
  });
  expect(await refused({ carrier: "UPS", trackingNumber: "A".repeat(65) })).toEqual({
    trackingNumber: "Ce champ doit contenir au plus 64 caractères.",
  });
  expect(await refused(items())).toEqual({ items: "Veuillez indiquer au moins un article." });
  expect(await refused(items({ item: lampLine, quantity: 0 }))).toEqual({
    "items[0].quantity": "La quantité doit être d'au moins 1.",
  });
  for (const item of [other.lampLine, 2_000_000_000])
    expect(await refused(items({ item, quantity: 1 }))).toEqual({
      "items[0].item": "Cet article ne fait pas partie de la commande.",
    });
  expect(await refused(items({ item: "abc", quantity: 1 }))).toEqual({
    "items[0].item": "Cette valeur doit être l'identifiant d'un article de la commande.",
  });
  expect(await refused(items({ quantity: 1 }))).toEqual({
    "items[0].item": "Veuillez indiquer un article de la commande.",
  });
  expect(await refused(items({ item: fileLine, quantity: 1 }))).toEqual({
    "items[0].item": "Cet article est un fichier\u00a0: il n'y a rien à envoyer.",
  });
  expect(await refused(items({ item: lampLine, quantity: 4 }))).toEqual({
    "items[0].quantity": "Il ne reste que 3 pièces de cet article à envoyer.",
  });
  expect(
    await refused(items({ item: lampLine, quantity: 1 }, { item: String(lampLine), quantity: 1 })),
  ).toEqual({ "items[1].item": "Cet article est indiqué deux fois." });
  expect(await parcelsOf(db, order.id)).toEqual([]);
  expect(await queuedMails(db, user.email)).toEqual([]);
  const [untouched] = await db.select().from(orders).where(eq(orders.id, order.id));
  expect(untouched).toMatchObject({ status: "paid", version: 1 });
});

for (const [name, json, count] of [
  ["all of it", { carrier: "Chronopost", trackingNumber: "XY1" }, 3],
  ["a part", { carrier: "Chronopost", trackingNumber: "XY1", items: "one" }, 1],
  ["a part of the version that was seen", { carrier: "Autre", version: 1, items: "one" }, 1],
] as const)
  test(`20 times at once, ${name} makes one parcel and one mail`, async ({ api, database: db }) => {
    const { order, user, lampLine, token, path } = await arrange(db);
    const body = "items" in json ? { ...json, items: [{ item: lampLine, quantity: 1 }] } : json;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post(`${path}/shipments`, { token, json: body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    const again = await api.post(`${path}/shipments`, { token, json: body });
    expect(again.status).toBe(409);
    const parcels = await parcelsOf(db, order.id);
    expect(parcels).toHaveLength(1);
    const contents = await db
      .select()
      .from(shipmentLines)
      .where(eq(shipmentLines.shipmentId, Number(parcels[0]?.id)));
    expect(contents).toMatchObject([{ orderLineId: lampLine, quantity: count }]);
    const [line] = await db.select().from(orderLines).where(eq(orderLines.id, lampLine));
    expect(line?.shippedQuantity).toBe(count);
    expect(await queuedMails(db, user.email)).toHaveLength(1);
  });

test("every other step is made once, too, if asked at once", async ({ api, database: db }) => {
  const { order, token, path } = await arrange(db);
  const statuses = async (step: string) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post(`${path}/${step}`, { token })),
    );
    return answers.map(({ status }) => status).sort();
  };
  const once = [200, ...Array(19).fill(409)];
  expect(await statuses("prepare")).toEqual(once);
  await api.post(`${path}/shipments`, { token, json: { carrier: "UPS" } });
  expect(await statuses("deliver")).toEqual(once);
  expect(await historyOf({ api, token, entity: "Order", id: order.id })).toHaveLength(3);
});

test("two parts sent at once never exceed the order", async ({ api, database: db }) => {
  const { lampLine, token, path, order } = await arrange(db);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      api.post(`${path}/shipments`, {
        token,
        json: {
          carrier: "UPS",
          trackingNumber: `U${index}`,
          items: [{ item: lampLine, quantity: 1 }],
        },
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(17);
  expect(await parcelsOf(db, order.id)).toHaveLength(3);
});

test("carrier and tracking number can be corrected", async ({ api, database: db }) => {
  const { token, path, user, order, buyer } = await arrange(db);
  const sent = await api.post<Shipment>(`${path}/shipments`, {
    token,
    json: { carrier: "Colissimo", trackingNumber: "FAUX" },
  });
  const at = `/api/shipments/${sent.json.id}`;
  const changed = await api.put<Shipment>(at, { token, json: { trackingNumber: TRACKING } });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.json).toMatchObject({
    carrier: "Colissimo",
    trackingNumber: TRACKING,
    trackingUrl: TRACKING_URL,
    version: 2,
  });
  expect((await api.get<Shipment>(at, { token })).json).toEqual(changed.json);
  const stale = await api.put<Refusal & { current: Shipment }>(at, {
    token,
    json: { carrier: "UPS", version: 1 },
  });
  expect([stale.status, stale.json.error]).toEqual([409, "Cet objet a été modifié entre-temps."]);
  expect(stale.json.current).toMatchObject({ trackingNumber: TRACKING, version: 2 });
  const [seen] = (await api.get<Order>(path, { token })).json.shipments;
  expect(seen).toMatchObject({ "@type": "AdminOrderShipment", version: 2 });
  // Only staff see versions.
  const [own] = (await detailOf({ api, id: order.id, token: buyer })).shipments;
  expect(own).not.toHaveProperty("version");
  expect(sentencesOf(await api.put(at, { token, json: { carrier: "" } }))).toEqual({
    carrier: "Veuillez choisir un transporteur.",
  });
  expect((await api.put(at, { token, json: { trackingNumber: "" } })).json).toMatchObject({
    trackingNumber: null,
    trackingUrl: null,
  });
  expect((await api.put("/api/shipments/2000000000", { token, json: {} })).status).toBe(404);
  // The buyer got one mail for one parcel.
  expect(await queuedMails(db, user.email)).toHaveLength(1);
  const history = await historyOf({ api, token, entity: "Order", id: order.id });
  expect(history.map(({ changes }) => changes.some(({ field }) => field === "shipments"))).toEqual([
    true,
    true,
    true,
  ]);
});

test("an order of files alone is delivered as soon as it exists", async ({ api, database: db }) => {
  const { token, lamp, user } = await arrange(db);
  const file = await createProduct({ db, type: "digital" });
  const place = (kind: string) => ({
    [`${kind}Street`]: "1 rue",
    [`${kind}City`]: "Lyon",
    [`${kind}PostalCode`]: "69001",
  });
  const write = async (product: { id: number }) => {
    const json = {
      user: user.id,
      orderItems: [{ product: product.id, quantity: 2 }],
      total: 5,
      ...place("shipping"),
      ...place("billing"),
      invoice_pdf_path: "-",
    };
    const created = await api.post<Order>("/api/admin_orders", { token, json });
    expect(created.status, created.text).toBe(201);
    return created.json;
  };
  const files = await write(file);
  expect(files).toMatchObject({ status: "delivered", shippedItems: 2, itemsCount: 2 });
  const things = await write(lamp);
  expect(things).toMatchObject({ status: "paid", shippedItems: 0, itemsCount: 2 });
  const detail = await detailOf({ api, id: files.id, token: await tokenOf(user) });
  expect(detail.history.map(({ status }) => status)).toEqual(["paid", "delivered"]);
  const refused = await api.post<Refusal>(`/api/admin_orders/${files.id}/shipments`, {
    token,
    json: { carrier: "UPS" },
  });
  expect([refused.status, refused.json.error]).toEqual([409, "Cette commande est déjà livrée."]);
});

test("staff cannot remove shipped pieces from an order", async ({ api, database: db }) => {
  const { order, lampLine, fileLine, token, path } = await arrange(db);
  const item = { item: lampLine, quantity: 2 };
  await api.post(`${path}/shipments`, { token, json: { carrier: "UPS", items: [item] } });
  const change = (orderItems: unknown) =>
    api.put<Order & Refusal>(path, { token, json: { orderItems } });
  const file = { id: fileLine, quantity: 1 };
  expect(sentencesOf(await change([{ id: lampLine, quantity: 1 }, file]))).toEqual({
    "orderItems[0].quantity":
      "2 pièces sont déjà expédiées ou remboursées\u00a0: la quantité ne peut pas être inférieure.",
  });
  const removed = await change([file]);
  expect([removed.status, removed.json.error]).toEqual([
    409,
    "Un article déjà expédié ou remboursé ne peut pas être retiré de la commande.",
  ]);
  const lines = await db.select().from(orderLines).where(eq(orderLines.orderId, order.id));
  expect(lines).toHaveLength(2);
  // The pieces left to send decide the state.
  const shorter = await change([{ id: lampLine, quantity: 2 }, file]);
  expect(shorter.json).toMatchObject({ status: "shipped", shippedItems: 3, itemsCount: 3 });
  const longer = await change([
    { id: lampLine, quantity: 5 },
    { id: fileLine, quantity: 2 },
  ]);
  expect(longer.json).toMatchObject({ status: "preparing", shippedItems: 4, itemsCount: 7 });
  expect(longer.json.orderItems[0]).toMatchObject({ shippedQuantity: 2, toSend: 3 });
  expect((await api.delete(path, { token })).status).toBe(204);
  expect(await parcelsOf(db, order.id)).toEqual([]);
});

test("refunded pieces need not be sent", async ({ api, database: db }) => {
  const { order, lampLine, token, path, buyer } = await arrange(db);
  const refund = async (quantity: number, status: "pending" | "succeeded" | "failed") => {
    const [{ id: refundId } = { id: 0 }] = await db
      .insert(refunds)
      .values({
        orderId: order.id,
        paymentIntentId: String(order.paymentIntentId),
        origin: "staff",
        status,
        amountCents: 100,
        reason: "Rupture",
      })
      .returning({ id: refunds.id });
    await db
      .insert(refundLines)
      .values({ refundId, orderLineId: lampLine, quantity, amountCents: 100 });
  };
  await refund(1, "succeeded");
  await refund(1, "failed");
  expect((await detailOf({ api, id: order.id, token: buyer })).items[0]?.toSend).toBe(2);
  const item = { item: lampLine, quantity: 3 };
  expect(
    sentencesOf(
      await api.post(`${path}/shipments`, { token, json: { carrier: "UPS", items: [item] } }),
    ),
  ).toEqual({ "items[0].quantity": "Il ne reste que 2 pièces de cet article à envoyer." });
  const sent = await api.post<Shipment>(`${path}/shipments`, { token, json: { carrier: "UPS" } });
  expect(sent.json.items).toMatchObject([{ quantity: 2 }]);
  expect((await detailOf({ api, id: order.id, token: buyer })).status).toBe("shipped");
});

test("a buyer who closed the account gets no mail", async ({ api, database: db }) => {
  const { order, token, path, buyer, user } = await arrange(db);
  expect((await api.delete("/api/account/delete/hard", { token: buyer })).status).toBe(200);
  const sent = await api.post(`${path}/shipments`, { token, json: { carrier: "UPS" } });
  expect(sent.status, sent.text).toBe(201);
  expect(await parcelsOf(db, order.id)).toHaveLength(1);
  expect(await queuedMails(db, user.email)).toEqual([]);
});

test("an order is found by its parcel's number, as typed", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const { token } = await newAdmin(db);
  const product = await createProduct({ db });
  const [sent, other] = [
    (await createOrder({ db, user, items: [{ product }] })).order,
    (await createOrder({ db, user, items: [{ product }] })).order,
  ];
  const serial = String(sent.id).padStart(7, "0");
  const ship = (order: { id: number }, trackingNumber: string) =>
    api.post(`/api/admin_orders/${order.id}/shipments`, {
      token,
      json: { carrier: "Colissimo", trackingNumber },
    });
  expect((await ship(sent, `6A 12345-${serial}`)).status).toBe(201);
  expect((await ship(other, `9${serial}`)).status).toBe(201);
  const found = async (path: string, search: string) => {
    const answer = await api.get<{ id: number }[]>(`${path}?search=${encodeURIComponent(search)}`, {
      token,
      accept: "application/json",
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.map(({ id }) => id);
  };
  for (const path of ["/api/admin_orders", "/api/orders"]) {
    expect(await found(path, `6A12345${serial}`)).toEqual([sent.id]);
    expect(await found(path, ` 6a 12345 ${serial} `)).toEqual([sent.id]);
    // Mondial Relay's numbers have eight digits, so they could also be ids.
    expect(await found(path, `9${serial}`)).toEqual([other.id]);
    expect(await found(path, `6A12345${serial}0`)).toEqual([]);
    expect(await found(path, `6A12345${serial.slice(0, -1)}`)).toEqual([]);
  }
});

test("the list is filtered by state and work, and exported", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const { token } = await newAdmin(db);
  const product = await createProduct({ db });
  const ids = new Map<string, number>();
  for (const status of ["paid", "preparing", "shipped", "delivered", "cancelled"] as const) {
    const { order } = await createOrder({ db, user, items: [{ product }], status });
    ids.set(status, order.id);
  }
  const id = (status: string) => Number(ids.get(status));
  await db.insert(withdrawals).values({ orderId: id("shipped"), userId: user.id });
  await db
    .insert(withdrawals)
    .values({ orderId: id("delivered"), userId: user.id, state: "refunded" });
  await db.insert(refunds).values({
    orderId: id("cancelled"),
    paymentIntentId: "pi_1",
    origin: "staff",
    status: "failed",
    amountCents: 100,
    reason: "Annulation",
  });
  const found = async (query: string) => {
    const { status, json, text } = await api.get<Collection<Order>>(
      `/api/admin_orders?user=${user.id}&${query}`,
      { token },
    );
    expect(status, text).toBe(200);
    expect(json["hydra:totalItems"]).toBe(json["hydra:member"].length);
    return json["hydra:member"].map((order) => order.id);
  };
  for (const [status, order] of ids)
    expect(await found(`status=${status}`), status).toEqual([order]);
  expect(await found("todo=prepare")).toEqual([id("paid")]);
  expect(await found("todo=ship")).toEqual([id("preparing")]);
  expect(await found("todo=refund")).toEqual([id("cancelled"), id("shipped")]);
  expect(await found("todo=refund&status=shipped&order[total]=asc")).toEqual([id("shipped")]);
  await api.post(`/api/admin_orders/${id("paid")}/shipments`, {
    token,
    json: { carrier: "GLS", trackingNumber: "G7" },
  });
  const table = linesOfCsv(
    await api.get(`/api/admin_orders?user=${user.id}&status=shipped&order[id]=asc`, {
      token,
      accept: "text/csv",
    }),
  );
  const columns = ["État", "Pièces", "Pièces expédiées", "Suivi"];
  const indexes = columns.map((name) => table[0]?.indexOf(name) ?? -1);
  expect(table.slice(1).map((row) => indexes.map((index) => row[index]))).toEqual([
    ["Expédiée", "1", "1", "GLS G7"],
    ["Expédiée", "1", "0", ""],
  ]);
});

test("packing slips of orders are one PDF, without prices", async ({ api, shop, database: db }) => {
  const PATH = "/api/packing_slips";
  const first = await arrange(db);
  const second = await arrange(db);
  const { token } = first;
  const item = { item: second.lampLine, quantity: 1 };
  await api.post(`${second.path}/shipments`, { token, json: { carrier: "UPS", items: [item] } });
  const files = await arrange(db, { lamps: 0 });
  const orderIds = [second.order.id, `/api/admin_orders/${first.order.id}`, files.order.id];
  const response = await fetch(`${shop.baseURL}${PATH}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ orders: orderIds }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toContain("bons-de-preparation.pdf");
  expect(response.headers.get("cache-control")).toContain("no-store");
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  const { text } = await extractText(pdf, { mergePages: false });
  const pages = text.map((page) => page.replace(/\s+/g, " "));
  // The pages are in the requested order. Shipped pieces and files are not on them.
  expect(pages).toHaveLength(2);
  expect(pages[0]).toContain(second.order.number);
  expect(pages[0]).toContain("2 pièces à emballer");
  expect(pages[1]).toContain(first.order.number);
  expect(pages[1]).toContain("3 Lampe Aube");
  expect(pages.join(" ")).not.toMatch(/Guide des thés|€/);

  const refused = async (orders: unknown) =>
    sentencesOf(await api.post(PATH, { token, json: { orders } }));
  expect(await refused([])).toEqual({ orders: "Veuillez indiquer au moins une commande." });
  expect(await refused([first.order.id, 2_000_000_000])).toEqual({
    "orders[1]": "Cette commande n'existe pas.",
  });
  expect(await refused([files.order.id])).toEqual({
    orders: "Ces commandes n'ont plus rien à envoyer.",
  });
  expect(await refused(Array.from({ length: 101 }, (_, index) => index + 1))).toEqual({
    orders: "On peut imprimer au plus 100 bons à la fois.",
  });
});
