import { writeFile } from "node:fs/promises";
import path from "node:path";
import { and, eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { products } from "@/db/schema/catalogue";
import { checkouts, paymentClosures } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { orderLines, orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { newAdmin } from "../admin";
import type { Api } from "../api-client";
import {
  addToCart,
  type Buyer,
  confirm,
  createBuyer,
  createBuyerWithCart,
  openPayment,
  ordersOf,
  requestPayment,
} from "../buying";
import { paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import { test as worldTest } from "../isolated-shop";
import { queuedMails } from "../mailbox";
import { downloadPdf } from "../pdf";
import { readRefunds, requestRefund } from "../refunding";
import { expectStockAddsUp, movementsOf, stockOf } from "../stock";
import { plainSpaces } from "../storefront";
import { countLockWaits } from "../table-lock";

// A cart that costs nothing is ordered without a payment: docs/decisions/020.

interface Opened {
  clientSecret: string;
  paymentIntentId?: string;
}

const CHANGED = "Votre panier a changé entre-temps. Vérifiez-le avant de confirmer la commande.";
const SOLD_OUT = "Un produit de votre commande n'est plus en stock. Vérifiez votre panier.";

/**
 * Opens the checkout of a cart that costs nothing. Returns the value that replaces the payment's client
 * secret.
 */
async function openFree(api: Api, buyer: Buyer): Promise<string> {
  const { status, text, json } = await requestPayment({ api, buyer });
  expect(status, text).toBe(200);
  const { clientSecret, paymentIntentId } = json as Opened;
  expect(paymentIntentId).toMatch(/^free_[\da-f-]{36}$/);
  expect(paymentIdOf(clientSecret)).toBe(paymentIntentId);
  return clientSecret;
}

const readCart = async (api: Api, { token }: Buyer) =>
  (await api.get<{ items: { id: number; product: { id: number } }[] }>("/api/cart", { token })).json
    .items;

const productsInCart = async (api: Api, buyer: Buyer) =>
  (await readCart(api, buyer)).map(({ product }) => product.id);

const createFreeCart = (options: { api: Api; db: Database; stock?: number }) =>
  createBuyerWithCart({ ...options, priceCents: 0 });

test("a free cart becomes an order with invoice, file and mail, without a call to the provider", async ({
  api,
  shop,
  database: db,
  cards,
  mailbox,
}) => {
  const before = await cards.books();
  const { buyer, product: sample } = await createFreeCart({ api, db, stock: 3 });
  const downloadLink = `/downloads/gratuit-${process.pid}.pdf`;
  await writeFile(path.join(String(shop.env.DOWNLOADS_DIR), path.basename(downloadLink)), "guide");
  const guide = await createProduct({ db, type: "digital", priceCents: 0, downloadLink });
  await addToCart({ api, buyer, productId: guide.id });

  const secret = await openFree(api, buyer);
  expect(await openFree(api, buyer)).toBe(secret);
  const { status, json } = await confirm({ api, buyer, secret });
  expect([status, json.orderTotal]).toEqual([201, 0]);

  const [order] = await ordersOf(db, buyer.id);
  const { orderId } = json;
  expect(order).toMatchObject({
    id: orderId,
    totalCents: 0,
    paymentIntentId: null,
    status: "paid",
    shippingStreet: "12 rue des Lilas",
  });
  const lines = await db.select().from(orderLines).where(eq(orderLines.orderId, orderId));
  expect(lines.map(({ productId }) => productId).sort()).toEqual([sample.id, guide.id].sort());
  const [invoice] = await db.select().from(invoices).where(eq(invoices.orderId, orderId));
  expect(invoice).toMatchObject({ totalCents: 0, paymentId: null, source: "checkout" });
  const { token } = buyer;
  await downloadPdf({ shop, path: `/api/invoices/${invoice?.id}/download`, token });

  const detail = await api.get<{ items: { product: { id: number; downloadLink?: string } }[] }>(
    `/api/orders_details/${orderId}`,
    { token },
  );
  const bought = detail.json.items.find(({ product }) => product.id === guide.id);
  expect((await api.get(String(bought?.product.downloadLink))).text).toBe("guide");
  expect(await movementsOf(db, sample.id)).toEqual(["correction 3", "sale -1"]);
  expect(await productsInCart(api, buyer)).toEqual([]);
  const purchase = await api.get(`/api/check-purchase/${guide.id}`, { token });
  expect(purchase.json).toMatchObject({ hasPurchased: true });

  const mail = await mailbox.waitForMail({ to: buyer.email });
  expect(mail.subject).toBe(`Confirmation de votre commande ${order?.number}`);
  expect(mail.attachments?.[0]?.filename).toBe(`facture-${invoice?.id}.pdf`);
  const text = plainSpaces(mail.text.replace(/\s+/g, " "));
  expect(text).toContain(
    `votre commande ${order?.number} est enregistrée. Vous n'avez rien à payer.`,
  );
  expect(text).toContain("Total TTC : 0,00 €");
  expect(text).not.toMatch(/votre paiement|dès le paiement/);

  expect((await cards.books()).payments).toHaveLength(before.payments.length);
  // A repeated confirmation returns the same order.
  const again = await confirm({ api, buyer, secret });
  expect([again.status, again.json]).toEqual([200, json]);
});

test("twenty clicks on two instances make one order", async ({ api, database: db, shopWith }) => {
  const { api: second } = await shopWith({ database: "shared" });
  const { buyer, product } = await createFreeCart({ api, db, stock: 30 });
  const secret = await openFree(api, buyer);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      confirm({ api: index % 2 ? second : api, buyer, secret }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(await ordersOf(db, buyer.id)).toHaveLength(1);
  expect(await stockOf(db, product.id)).toBe(29);
  expect(await queuedMails(db, buyer.email)).toHaveLength(1);
});

test("a free order is its buyer's, and no paid cart becomes one", async ({ api, database: db }) => {
  const { buyer } = await createFreeCart({ api, db });
  const stranger = await createBuyer(db);
  const secret = await openFree(api, buyer);
  expect((await confirm({ api, buyer: stranger, secret })).status).toBe(404);
  const { buyer: payer } = await createBuyerWithCart({ api, db });
  await openPayment({ api, buyer: payer });
  const [unpaid] = await db.select().from(checkouts).where(eq(checkouts.userId, payer.id));
  for (const forged of [`free_${unpaid?.id}`, "free_", "free_1", `${paymentIdOf(secret)}0`])
    expect((await confirm({ api, buyer: payer, secret: forged })).status, forged).toBe(404);
  for (const { id } of [buyer, payer]) expect(await ordersOf(db, id)).toEqual([]);
});

test("a free order holds the frozen cart, or a new one", async ({ api, database: db, cards }) => {
  const { buyer, product } = await createFreeCart({ api, db });
  const secret = await openFree(api, buyer);
  const lamp = await createProduct({ db, priceCents: 4290 });
  await addToCart({ api, buyer, productId: lamp.id });
  expect((await requestPayment({ api, buyer, total: 0 })).status).toBe(409);
  const paid = await openPayment({ api, buyer });
  expect(paymentIdOf(paid)).toMatch(/^pi_/);
  const refused = await confirm({ api, buyer, secret });
  expect([refused.status, refused.json.error]).toEqual([409, CHANGED]);

  // The other way round: the payment is cancelled before the order can be free.
  const line = (await readCart(api, buyer)).find((item) => item.product.id === lamp.id);
  await api.delete(`/api/cart/item/${line?.id}`, { token: buyer.token });
  const free = await openFree(api, buyer);
  expect((await cards.pay(paid)).json.error?.code).toBe("payment_intent_unexpected_state");

  // A product added or a price raised after the cart was frozen does not affect the order.
  await addToCart({ api, buyer, productId: lamp.id });
  await db.update(products).set({ priceCents: 900 }).where(eq(products.id, product.id));
  const confirmed = await confirm({ api, buyer, secret: free });
  expect([confirmed.status, confirmed.json.orderTotal]).toEqual([201, 0]);
  expect(await productsInCart(api, buyer)).toEqual([lamp.id]);
});

test("a free order is refused while its pieces are sold out", async ({ api, database: db }) => {
  const { buyer, product } = await createFreeCart({ api, db, stock: 1 });
  const secret = await openFree(api, buyer);
  const correct = async (quantity: number) => {
    const { token } = await newAdmin(db);
    const json = { quantity, reason: "Inventaire" };
    const answer = await api.post(`/api/products/${product.id}/stock_movements`, { token, json });
    expect(answer.status, answer.text).toBe(201);
  };
  await correct(-1);
  for (let i = 0; i < 2; i += 1) {
    const refused = await confirm({ api, buyer, secret });
    expect([refused.status, refused.json.error]).toEqual([409, SOLD_OUT]);
  }
  expect(await queuedMails(db, buyer.email)).toEqual([]);
  await correct(1);
  expect((await confirm({ api, buyer, secret })).status).toBe(201);
  expect(await stockOf(db, product.id)).toBe(0);
  await expectStockAddsUp(db);
});

test("a payment of a free order goes back", async ({ api, shop, database: db, cards, shopEnv }) => {
  const { buyer } = await createFreeCart({ api, db });
  const secret = await openFree(api, buyer);
  await confirm({ api, buyer, secret });
  const { json: payment } = await cards.call("payment_intents", {
    amount: "500",
    currency: "eur",
    "metadata[checkout]": paymentIdOf(secret).replace("free_", ""),
    "metadata[shop]": String(shop.env.SITE_URL ?? shop.baseURL),
    payment_method: "pm_card_visa",
    confirm: "true",
  });
  const settled = async () => {
    await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
    const isClosure = eq(paymentClosures.paymentIntentId, payment.id);
    return (await db.select().from(paymentClosures).where(isClosure))[0]?.outcome;
  };
  await expect.poll(settled).toBe("refunded");
  expect(await ordersOf(db, buyer.id)).toMatchObject([{ paymentIntentId: null, totalCents: 0 }]);
});

test("free orders are limited per person and hour", async ({ limited: { api, database: db } }) => {
  const buyer = await createBuyer(db);
  const { id: productId } = await createProduct({ db, priceCents: 0 });
  let last = "";
  for (let count = 1; count <= 21; count += 1) {
    await addToCart({ api, buyer, productId });
    const secret = await openFree(api, buyer);
    const { status, headers } = await confirm({ api, buyer, secret });
    expect(status, `order ${count}`).toBe(count <= 20 ? 201 : 429);
    if (status === 429) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    else last = secret;
  }
  // Repeated confirmations of an existing order do not count.
  expect((await confirm({ api, buyer, secret: last })).status).toBe(200);
});

test("a free order is withdrawn without a refund", async ({ api, database: db, mailbox }) => {
  const { buyer, product } = await createFreeCart({ api, db, stock: 2 });
  const secret = await openFree(api, buyer);
  const { orderId } = (await confirm({ api, buyer, secret })).json;
  const [line] = await db.select().from(orderLines).where(eq(orderLines.orderId, orderId));
  const { token } = await newAdmin(db);
  for (const request of [{ items: [{ item: line?.id, quantity: 1 }] }, { amount: 1 }]) {
    const refused = await requestRefund({ api, order: { id: orderId, token }, ...request });
    expect([refused.status, plainSpaces(refused.json.detail)]).toEqual([
      409,
      "Cette commande était gratuite : il n'y a rien à rembourser.",
    ]);
  }
  expect(await readRefunds({ api, order: { id: orderId, token } })).toMatchObject({
    isPaid: false,
    total: 0,
    left: { amount: 0 },
    refunds: [],
  });

  const withdrawn = await api.post(`/api/orders/${orderId}/withdrawal`, {
    token: buyer.token,
    json: { items: "" },
  });
  expect(withdrawn.status, withdrawn.text).toBe(201);
  const [withdrawal] = await db.select().from(withdrawals).where(eq(withdrawals.orderId, orderId));
  expect(withdrawal).toMatchObject({ state: "received", refundBy: null, totalCents: 0 });
  const receipt = await mailbox.waitForMail({ to: buyer.email, subject: /Accusé de réception/ });
  const text = plainSpaces(receipt.text.replace(/\s+/g, " "));
  expect(text).toContain("Cette commande était gratuite : il n’y a rien à vous rembourser.");
  expect(text).not.toContain("Nous vous rembourserons");
  const settled = await api.put(`/api/withdrawals/${withdrawal?.id}`, {
    token,
    json: { state: "refunded" },
  });
  expect(settled.status, settled.text).toBe(200);

  expect((await api.delete(`/api/admin_orders/${orderId}`, { token })).status).toBe(204);
  expect(await stockOf(db, product.id)).toBe(2);
  await expectStockAddsUp(db);
  expect((await confirm({ api, buyer, secret })).status).toBe(404);
});

worldTest("the shop is killed while it confirms a free order", async ({ isolatedShop }) => {
  const { database: db } = isolatedShop;
  const first = await isolatedShop.start();
  const { buyer, product } = await createFreeCart({ api: first, db, stock: 2 });
  const secret = await openFree(first, buyer);
  await isolatedShop.withLock(
    `select from products where id = ${product.id} for update`,
    async () => {
      const lost = confirm({ api: first, buyer, secret }).catch((error: unknown) => error);
      await expect.poll(() => countLockWaits(db)).toBe(1);
      await isolatedShop.kill();
      expect(await lost).toBeInstanceOf(Error);
    },
  );
  const api = await isolatedShop.start();
  expect(await db.select().from(orders).where(eq(orders.userId, buyer.id))).toEqual([]);
  expect((await confirm({ api, buyer, secret })).status).toBe(201);
  expect((await confirm({ api, buyer, secret })).status).toBe(200);
  expect(await stockOf(db, product.id)).toBe(1);
  // A free order that is never confirmed expires after a day, like an abandoned payment.
  await addToCart({ api, buyer, productId: product.id });
  const abandoned = await openFree(api, buyer);
  await db
    .update(checkouts)
    .set({ updatedAt: new Date(Date.now() - 25 * 3_600_000) })
    .where(and(eq(checkouts.userId, buyer.id), eq(checkouts.status, "pending")));
  await isolatedShop.reconcile(api);
  const late = await confirm({ api, buyer, secret: abandoned });
  expect([late.status, late.json.error]).toEqual([409, CHANGED]);
});
