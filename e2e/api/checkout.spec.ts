import { once } from "node:events";
import net from "node:net";
import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart } from "@/db/factories/orders";
import { createAddress } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { checkouts, paymentClosures, paymentEvents } from "@/db/schema/checkout";
import { invoices } from "@/db/schema/invoices";
import { orderLines, orders } from "@/db/schema/orders";
import { shopSettings } from "@/db/schema/settings";
import type { Refusal } from "../accounts";
import { newAdmin } from "../admin";
import type { Api } from "../api-client";
import {
  addToCart,
  type Buyer,
  confirm,
  createBuyer,
  createBuyerWithCart,
  openPayment,
  payCart,
  payCartUnheard,
  requestPayment,
} from "../buying";
import { type Cards, expectDelivered, paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";
import { downloadPdf, textOfPdf } from "../pdf";

const orderOf = async (db: Database, secret: string) => {
  const found = await db
    .select()
    .from(orders)
    .where(eq(orders.paymentIntentId, paymentIdOf(secret)));
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0];
};

const readCart = async (api: Api, { token }: Buyer) =>
  (
    await api.get<{
      items: {
        quantity: number;
        product: { id: number; price: number };
        previousPrice: number | null;
      }[];
    }>("/api/cart", { token })
  ).json.items;

const checkoutOf = async (db: Database, secret: string) => {
  const isCheckout = eq(checkouts.paymentIntentId, paymentIdOf(secret));
  return (await db.select().from(checkouts).where(isCheckout))[0];
};

const paymentOf = async (cards: Cards, secret: string) =>
  (await cards.books()).payments.find(({ id }) => id === paymentIdOf(secret));

const closureOf = async (db: Database, secret: string) => {
  const isClosure = eq(paymentClosures.paymentIntentId, paymentIdOf(secret));
  return (await db.select().from(paymentClosures).where(isClosure))[0];
};

/** The body of an event from the provider. */
const newEvent = (values: Record<string, unknown> = {}) =>
  JSON.stringify({
    id: `evt_${Math.random().toString(36).slice(2)}`,
    object: "event",
    type: "customer.created",
    created: 1,
    data: { object: { object: "customer", id: "cus_1" } },
    ...values,
  });

/** Sends an event as the provider does. */
const sendEvent = (api: Api, body: string, signature?: string) =>
  api.request<Refusal & { received: boolean }>("POST", "/api/stripe/webhook", {
    body,
    headers: {
      "Content-Type": "application/json",
      ...(signature !== undefined && { "Stripe-Signature": signature }),
    },
  });

test.describe("a purchase", () => {
  test("makes the order, its invoice and its mail", async ({
    api,
    database: db,
    cards,
    mailbox,
  }) => {
    const buyer = await createBuyer(db);
    const lamp = await createProduct({ db, priceCents: 4290, image: "l.webp", vatRateBp: 2000 });
    const guide = await createProduct({
      db,
      type: "digital",
      priceCents: 115,
      vatRateBp: 550,
      downloadLink: "/downloads/guide.pdf",
    });
    await addToCart({ api, buyer, productId: lamp.id, quantity: 2 });
    await addToCart({ api, buyer, productId: guide.id, quantity: 1 });
    const billing = await createAddress({
      db,
      userId: buyer.id,
      street: "1 place Bellecour",
      type: "billing",
    });

    const answer = await requestPayment({ api, buyer, billingAddressId: billing.id });
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.json)).toEqual(["clientSecret"]);
    const secret = answer.json.clientSecret;
    expect((await cards.pay(secret)).json).toMatchObject({ status: "succeeded", amount: 8695 });

    const confirmed = await confirm({ api, buyer, secret });
    expect([200, 201]).toContain(confirmed.status);
    const order = await orderOf(db, secret);
    if (!order) throw new Error("There is no order.");
    expect(confirmed.json).toEqual({ orderId: order.id, orderTotal: 86.95 });
    expect(order).toMatchObject({
      userId: buyer.id,
      buyerEmail: buyer.email,
      totalCents: 8695,
      shippingStreet: "12 rue des Lilas",
      billingStreet: "1 place Bellecour",
    });
    expect(order.number).toMatch(/^CMD-\d{4}-\d{6}$/);

    const lines = await db.select().from(orderLines).where(eq(orderLines.orderId, order.id));
    expect(lines.sort((a, b) => a.id - b.id)).toMatchObject([
      {
        productId: lamp.id,
        productType: "physical",
        name: lamp.name,
        image: "l.webp",
        unitPriceCents: 4290,
        vatRateBp: 2000,
        quantity: 2,
        downloadLink: null,
      },
      {
        productId: guide.id,
        productType: "digital",
        unitPriceCents: 115,
        vatRateBp: 550,
        quantity: 1,
        downloadLink: "/downloads/guide.pdf",
      },
    ]);
    const [invoice] = await db.select().from(invoices).where(eq(invoices.orderId, order.id));
    expect(invoice).toMatchObject({
      userId: buyer.id,
      source: "checkout",
      totalCents: 8695,
      paymentId: paymentIdOf(secret),
      snapshot: {
        orderNumber: order.number,
        buyer: { email: buyer.email },
        billingAddress: { street: "1 place Bellecour", city: "Lyon", postalCode: "69003" },
        lines: [
          { name: lamp.name, quantity: 2, unitPriceCents: 4290, vatRateBp: 2000 },
          { name: guide.name, quantity: 1, unitPriceCents: 115, vatRateBp: 550 },
        ],
      },
    });
    expect(invoice?.number).toMatch(/^FA-\d{4}-\d{6}$/);
    expect(invoice?.snapshot.seller.siren).not.toBe("");

    expect(await readCart(api, buyer)).toEqual([]);
    const [sold] = await db.select().from(products).where(eq(products.id, lamp.id));
    expect(sold?.salesCount).toBe(lamp.salesCount + 2);
    const shown = await api.get<{ sales_count: number }>(`/api/products/${lamp.id}`);
    expect(shown.json.sales_count).toBe(lamp.salesCount + 2);

    const { attachments = [] } = await mailbox.waitForMail({ to: buyer.email });
    expect(attachments.map(({ filename }) => filename)).toEqual([
      `facture-${invoice?.id}.pdf`,
      "conditions-generales-de-vente.txt",
    ]);
    const [seller] = await db.select().from(shopSettings);
    expect(Buffer.from(attachments[1]?.content ?? "", "base64").toString()).toBe(
      `${seller?.terms}\n`,
    );

    // Repeated confirmations: the same order, and 200.
    for (let i = 0; i < 2; i++) {
      const again = await confirm({ api, buyer, secret });
      expect([again.status, again.json]).toEqual([200, confirmed.json]);
    }
    expect(await queuedMails(db, buyer.email)).toHaveLength(1);
  });

  test("freezes addresses and products, and leaves later additions", async ({
    api,
    database: db,
    cards,
  }) => {
    const { buyer, product } = await createBuyerWithCart({
      api,
      db,
      priceCents: 1000,
      quantity: 2,
    });
    const [gone, other] = [await createProduct({ db }), await createProduct({ db })];
    await addToCart({ api, buyer, productId: gone.id });
    const secret = await payCartUnheard({ api, buyer, cards });
    await addToCart({ api, buyer, productId: product.id, quantity: 3 });
    await addToCart({ api, buyer, productId: other.id });
    await db
      .update(products)
      .set({ priceCents: 9900, name: "Autre nom" })
      .where(eq(products.id, product.id));
    await db.delete(products).where(eq(products.id, gone.id));
    await api.delete(`/api/addresses_front/${buyer.addressId}`, { token: buyer.token });

    const confirmed = await api.post("/api/cart/confirm-order", {
      token: buyer.token,
      json: { shippingAddressId: 999_999, paymentIntentId: paymentIdOf(secret) },
    });
    expect(confirmed.status, confirmed.text).toBe(201);
    const order = await orderOf(db, secret);
    expect(confirmed.json).toEqual({ orderId: order?.id, orderTotal: 39.9 });
    expect(order).toMatchObject({ totalCents: 3990, shippingStreet: "12 rue des Lilas" });
    const lines = await db
      .select()
      .from(orderLines)
      .where(eq(orderLines.orderId, order?.id ?? 0))
      .orderBy(orderLines.id);
    expect(lines).toMatchObject([
      { productId: product.id, name: product.name, unitPriceCents: 1000, quantity: 2 },
      { productId: null, name: gone.name, unitPriceCents: 1990, quantity: 1 },
    ]);
    expect(
      (await readCart(api, buyer)).map(({ product: { id }, quantity }) => [id, quantity]),
    ).toEqual([
      [product.id, 3],
      [other.id, 1],
    ]);
  });

  test("keeps the further lines of both addresses on every paper", async ({
    api,
    shop,
    database: db,
    cards,
    mailbox,
  }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const admin = await newAdmin(db);
    const secret = await openPayment({ api, buyer });
    // Given between two openings of the payment: the amount is the same, and so is the payment.
    const details = {
      recipient: "Jeanne Roux",
      company: "Atelier Roux",
      complement: "Bâtiment B",
      phone: "06 12 34 56 78",
    };
    const path = `/api/addresses_front/${buyer.addressId}`;
    expect((await api.put(path, { token: buyer.token, json: details })).status).toBe(200);
    expect(await openPayment({ api, buyer })).toBe(secret);
    await cards.pay(secret);
    const { json: confirmed } = await confirm({ api, buyer, secret });

    const address = { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003", ...details };
    const { json: order } = await api.get<{ invoiceId: number }>(
      `/api/orders_details/${confirmed.orderId}`,
      { token: buyer.token },
    );
    expect(order).toMatchObject({ shippingAddress: address, billingAddress: address });
    const { json: staffs } = await api.get(`/api/admin_orders/${confirmed.orderId}`, {
      token: admin.token,
    });
    expect(staffs).toMatchObject({
      shippingAddress: {
        shippingStreet: "12 rue des Lilas",
        shippingRecipient: "Jeanne Roux",
        shippingCompany: "Atelier Roux",
        shippingComplement: "Bâtiment B",
        shippingPhone: "06 12 34 56 78",
      },
      billingAddress: { billingRecipient: "Jeanne Roux", billingPhone: "06 12 34 56 78" },
    });

    const lines = "Jeanne Roux Atelier Roux Bâtiment B 12 rue des Lilas 69003 Lyon";
    const invoice = await downloadPdf({
      shop,
      path: `/api/invoices/${order.invoiceId}/download`,
      token: buyer.token,
    });
    expect(await textOfPdf(invoice)).toContain(`${lines} Tél. : 06 12 34 56 78`);
    const slip = await fetch(`${shop.baseURL}/api/packing_slips`, {
      method: "POST",
      headers: { Authorization: `Bearer ${admin.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ orders: [confirmed.orderId] }),
    });
    expect(await textOfPdf(new Uint8Array(await slip.arrayBuffer()))).toContain(
      `${lines} Tél. : 06 12 34 56 78`,
    );
    const mail = await mailbox.waitForMail({ to: buyer.email });
    expect(mail.text.replace(/\s+/g, " ")).toContain(
      "Jeanne Roux, Atelier Roux, Bâtiment B, 12 rue des Lilas, 69003 Lyon",
    );

    // Staff correct one line; the others stay.
    const corrected = await api.put(`/api/admin_orders/${confirmed.orderId}`, {
      token: admin.token,
      json: { shippingPhone: "", shippingRecipient: "Jean Roux" },
    });
    expect(corrected.status, corrected.text).toBe(200);
    const [stored] = await db.select().from(orders).where(eq(orders.id, confirmed.orderId));
    expect(stored).toMatchObject({
      shippingRecipient: "Jean Roux",
      shippingCompany: "Atelier Roux",
      shippingPhone: "",
      billingPhone: "06 12 34 56 78",
    });
  });

  test("does not touch a cart of another user", async ({ api, database: db, cards }) => {
    const { buyer, product } = await createBuyerWithCart({ api, db });
    const other = await createBuyer(db);
    const secret = await payCartUnheard({ api, buyer, cards });
    await db.update(carts).set({ userId: other.id }).where(eq(carts.userId, buyer.id));
    // The buyer's new cart has a line of its own for the product.
    await addToCart({ api, buyer, productId: product.id });
    expect((await confirm({ api, buyer, secret })).status).toBe(201);
    for (const each of [buyer, other])
      expect((await readCart(api, each)).map(({ product: { id } }) => id)).toEqual([product.id]);
  });

  test("by a card that asks for authentication", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await openPayment({ api, buyer });
    const asked = await cards.pay(secret, "pm_card_authenticationRequired");
    expect(asked.json.status).toBe("requires_action");
    expect((await confirm({ api, buyer, secret })).status).toBe(402);
    // Meanwhile the payment step may be opened again, without a second payment.
    expect(await openPayment({ api, buyer })).toBe(secret);
    await cards.authenticate(asked.json, "authorized");
    expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);
  });

  test("after a card that was declined", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await openPayment({ api, buyer });
    expect((await cards.pay(secret, "pm_card_chargeDeclined")).status).toBe(402);
    const refused = await confirm({ api, buyer, secret });
    expect(refused.status).toBe(402);
    expect(refused.json.error).toBe("Le paiement n'a pas pu être confirmé. Veuillez réessayer.");
    expect(await openPayment({ api, buyer })).toBe(secret);
    expect((await cards.pay(secret)).json.status).toBe("succeeded");
    expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);
    expect(await orderOf(db, secret)).toBeTruthy();
  });
});

test.describe("the payment step", () => {
  test("keeps its payment with an unchanged cart", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await openPayment({ api, buyer });
    const same = await requestPayment({
      api,
      buyer,
      shippingAddressId: `/api/addresses_front/${buyer.addressId}`,
      billingAddressId: String(buyer.addressId),
    });
    expect(same.json.clientSecret, same.text).toBe(secret);
    const [row] = await db.select().from(checkouts).where(eq(checkouts.userId, buyer.id));
    expect(row).toMatchObject({ status: "pending", paymentIntentId: paymentIdOf(secret) });
    expect(await paymentOf(cards, secret)).toMatchObject({
      amount: 4290,
      currency: "eur",
      metadata: { checkout: row?.id },
    });
    // Another address keeps the payment, and is used for the order.
    const other = await createAddress({ db, userId: buyer.id, street: "8 rue Neuve" });
    const again = await requestPayment({ api, buyer, shippingAddressId: other.id });
    expect(again.json.clientSecret).toBe(secret);
    const [changed] = await db.select().from(checkouts).where(eq(checkouts.userId, buyer.id));
    expect(changed?.shippingAddress.street).toBe("8 rue Neuve");
  });

  test("replaces the payment of a changed cart", async ({ api, database: db, cards }) => {
    const { buyer, product } = await createBuyerWithCart({ api, db });
    const former = await openPayment({ api, buyer });
    await addToCart({ api, buyer, productId: product.id });
    const secret = await openPayment({ api, buyer });
    expect(secret).not.toBe(former);
    expect((await cards.pay(former)).status).toBe(400);
    expect((await confirm({ api, buyer, secret: former })).status).toBe(402);
    const paid = await cards.pay(secret);
    expect(paid.json.amount).toBe(8580);
    expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);
    expect(await orderOf(db, former)).toBeUndefined();
  });

  test("does not lose a payment of the former cart", async ({ api, database: db, cards }) => {
    const { buyer, product } = await createBuyerWithCart({ api, db });
    await cards.fault({ webhook: "payment_intent.succeeded", effect: "never" });
    const secret = await payCart({ api, buyer, cards });
    await addToCart({ api, buyer, productId: product.id });
    const refused = await requestPayment({ api, buyer });
    expect(refused.status).toBe(409);
    const order = await orderOf(db, secret);
    expect(refused.json.error).toBe(
      `Votre paiement a bien été reçu\u00a0: votre commande ${order?.number} est enregistrée. Vous la trouverez dans «\u00a0Mes commandes\u00a0».`,
    );
    // The added piece can be paid.
    const next = await openPayment({ api, buyer });
    expect((await cards.pay(next)).json.amount).toBe(4290);
  });

  test("refuses carts that cannot be paid, in French", async ({ api, database: db }) => {
    const buyer = await createBuyer(db);
    const stranger = await createBuyer(db);
    const say = async (
      more: { shippingAddressId?: unknown; billingAddressId?: unknown; total?: number } = {},
    ) => {
      const { status, json } = await requestPayment({ api, buyer, ...more });
      const { violations = [], error } = json as unknown as Refusal;
      return [
        status,
        ...(violations.length > 0
          ? violations.map((each) => [each.propertyPath, each.message])
          : [error]),
      ];
    };
    expect(await say()).toEqual([422, ["", "Votre panier est vide."]]);

    const cheap = await createProduct({ db, priceCents: 49 });
    await addToCart({ api, buyer, productId: cheap.id });
    expect(await say()).toEqual([
      422,
      [
        "",
        "Le total d'un paiement par carte doit être d'au moins 0,50\u00a0€\u00a0: il manque 0,01\u00a0€. Ajoutez un autre produit.",
      ],
    ]);
    const lamp = await createProduct({ db });
    await addToCart({ api, buyer, productId: lamp.id });

    const unknown = "Cette adresse n'est pas dans votre carnet d'adresses.";
    expect(await say({ shippingAddressId: stranger.addressId })).toEqual([
      422,
      ["shippingAddressId", unknown],
    ]);
    expect(await say({ billingAddressId: 2_000_000_000 })).toEqual([
      422,
      ["billingAddressId", unknown],
    ]);
    expect(await say({ shippingAddressId: null })).toEqual([
      422,
      ["shippingAddressId", "Ce champ est obligatoire."],
    ]);
    expect(await say({ total: 1 })).toEqual([
      409,
      "Votre panier a changé entre-temps. Vérifiez son nouveau total avant de payer.",
    ]);
    expect((await say({ total: 20.39 }))[0]).toBe(200);

    await db.delete(products).where(eq(products.id, lamp.id));
    expect(await say()).toEqual([
      409,
      "Retirez les produits qui ne sont plus disponibles pour passer la commande.",
    ]);

    const villa = await createProduct({ db, priceCents: 99_999_999 });
    const items = [{ productId: villa.id, quantity: 2 }];
    await createCart({ db, userId: stranger.id, items });
    const tooMuch = await requestPayment({ api, buyer: stranger });
    expect(tooMuch.status).toBe(422);
    expect(tooMuch.json.error).toContain("ne peut pas dépasser");
  });

  test("never charges a price that was not shown", async ({ api, database: db, cards }) => {
    const { buyer, product } = await createBuyerWithCart({ api, db, priceCents: 1000 });
    const before = await openPayment({ api, buyer });
    await db.update(products).set({ priceCents: 1200 }).where(eq(products.id, product.id));
    for (let i = 0; i < 2; i++) {
      const refused = await requestPayment({ api, buyer });
      expect(refused.status).toBe(409);
      expect(refused.json.error).toBe(
        "Le prix d'un produit de votre panier a changé. Vérifiez votre panier avant de payer.",
      );
    }
    // The cart shows the new price and the previous one.
    for (let i = 0; i < 2; i++)
      expect(await readCart(api, buyer)).toMatchObject([
        { product: { price: 12 }, previousPrice: 10 },
      ]);
    const secret = await openPayment({ api, buyer });
    expect(secret).not.toBe(before);
    expect((await cards.pay(before)).status).toBe(400);
    expect((await cards.pay(secret)).json.amount).toBe(1200);
  });
});

test.describe("a confirmation", () => {
  test("of no payment of one's own is refused", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const stranger = await createBuyer(db);
    const secret = await payCartUnheard({ api, buyer, cards });
    const refused = await confirm({ api, buyer: stranger, secret });
    expect([refused.status, refused.json.error]).toEqual([404, "Ce paiement n'existe pas."]);
    expect((await confirm({ api, buyer, secret: "pi_unknown_secret_x" })).status).toBe(404);
    for (const paymentIntentId of [undefined, null, "", 7]) {
      const { status } = await api.post("/api/cart/confirm-order", {
        token: buyer.token,
        json: { paymentIntentId },
      });
      expect(status).toBe(422);
    }
    expect(await orderOf(db, secret)).toBeUndefined();
    expect((await confirm({ api, buyer, secret })).status).toBe(201);
  });

  test("of another amount is refunded", async ({ api, database: db, cards, mailbox }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await openPayment({ api, buyer });
    const id = paymentIdOf(secret);
    await cards.fault({ webhook: "payment_intent.succeeded", effect: "never" });
    await cards.call(`payment_intents/${id}`, { amount: "100" });
    expect((await cards.pay(secret)).json.amount).toBe(100);
    const refused = await confirm({ api, buyer, secret });
    expect([refused.status, refused.json.error]).toEqual([
      409,
      "Le montant payé ne correspond pas à une commande en cours\u00a0: il vous est remboursé.",
    ]);
    await expect.poll(async () => (await paymentOf(cards, secret))?.refunded).toBe(100);
    await expect
      .poll(() => mailbox.list({ to: buyer.email }).map(({ subject }) => subject))
      .toEqual([expect.stringMatching(/^Votre paiement de 1,00\s€ est remboursé$/)]);
    expect(await orderOf(db, secret)).toBeUndefined();
    expect((await checkoutOf(db, secret))?.status).toBe("refunded");
    expect((await confirm({ api, buyer, secret })).status).toBe(409);
    // The cart is unchanged, and can be paid.
    expect(await openPayment({ api, buyer })).not.toBe(secret);
  });

  for (const { what, amount } of [
    { what: "all", amount: 4290 },
    { what: "a part", amount: 1000 },
  ])
    test(`of a payment that was refunded at the provider, ${what} of it, creates no order`, async ({
      api,
      database: db,
      cards,
    }) => {
      const { buyer } = await createBuyerWithCart({ api, db });
      await cards.fault({ webhook: "*", effect: "never", times: 9 });
      const secret = await payCart({ api, buyer, cards });
      const id = paymentIdOf(secret);
      await cards.call("refunds", { payment_intent: id, amount: String(amount) });
      await cards.clearFaults();
      expect((await confirm({ api, buyer, secret })).status).toBe(409);
      await expect.poll(async () => (await checkoutOf(db, secret))?.status).toBe("refunded");
      expect(await paymentOf(cards, secret)).toMatchObject({
        taken: 4290,
        refunded: 4290,
      });
      // The mail invites a reply.
      expect(await queuedMails(db, buyer.email)).toMatchObject([
        { template: "payment-refunded", replyTo: "contact@mini-ecommerce.test" },
      ]);
      expect(await orderOf(db, secret)).toBeUndefined();
      expect(await readCart(api, buyer)).toHaveLength(1);
      expect(await openPayment({ api, buyer })).not.toBe(secret);
    });
});

test("a payment for a closed checkout is refunded", async ({ api, database: db, cards }) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  const isCheckout = eq(checkouts.paymentIntentId, paymentIdOf(secret));
  await db.update(checkouts).set({ status: "cancelled" }).where(isCheckout);
  expect((await confirm({ api, buyer, secret })).status).toBe(402);
  await cards.pay(secret);
  await expect.poll(async () => (await paymentOf(cards, secret))?.refunded).toBe(4290);
  await expect.poll(async () => (await checkoutOf(db, secret))?.status).toBe("refunded");
  expect((await confirm({ api, buyer, secret })).status).toBe(409);
  expect(await orderOf(db, secret)).toBeUndefined();
  expect(await readCart(api, buyer)).toHaveLength(1);
  expect((await queuedMails(db, buyer.email)).map(({ template }) => template)).toEqual([
    "payment-refunded",
  ]);
});

test("a checkout closed long ago is deleted, and a payment for it is still refunded", async ({
  api,
  database: db,
  cards,
  shopEnv,
}) => {
  const endCheckout = async (days: number) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await openPayment({ api, buyer });
    const isCheckout = eq(checkouts.paymentIntentId, paymentIdOf(secret));
    await db
      .update(checkouts)
      .set({ status: "cancelled", updatedAt: sql`now() - make_interval(days => ${days})` })
      .where(isCheckout);
    return { buyer, secret, isCheckout };
  };
  const old = await endCheckout(91);
  const young = await endCheckout(89);
  await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  expect(await db.select().from(checkouts).where(old.isCheckout)).toEqual([]);
  expect(await db.select().from(checkouts).where(young.isCheckout)).toHaveLength(1);

  const { buyer, secret } = old;
  expect((await cards.pay(secret)).json.status).toBe("succeeded");
  await expect.poll(async () => (await paymentOf(cards, secret))?.refunded).toBe(4290);
  expect((await confirm({ api, buyer, secret })).status).toBe(404);
  expect(await orderOf(db, secret)).toBeUndefined();
  expect(await readCart(api, buyer)).toHaveLength(1);
});

test.describe("the provider's events", () => {
  test("are accepted only with a valid and recent signature", async ({ api, cards }) => {
    const body = newEvent();
    const taken = await sendEvent(api, body, cards.sign(body));
    expect([taken.status, taken.json]).toEqual([200, { received: true }]);
    const refusals = [
      undefined,
      "",
      "t=1,v1=00",
      cards.sign(`${body} `),
      cards.sign(body, { secondsAgo: 400 }),
      cards.sign(body).replace("v1=", "v0="),
      cards.sign(body).replace(/v1=.*/, "v1="),
      cards.sign(body).replace(/v1=.*/, "v1"),
      cards.sign(body).replace(/t=\d+/, "t="),
      `${cards.sign(body)},v1=`,
      `${cards.sign(body)},v1=é`,
      "t=,v1=,",
      ",",
    ];
    for (const signature of refusals) {
      const refused = await sendEvent(api, body, signature);
      expect([refused.status, refused.json.error]).toEqual([
        400,
        "La signature de cette notification n'est pas valable.",
      ]);
    }
    expect((await sendEvent(api, "", cards.sign(""))).status).toBe(400);
    expect((await sendEvent(api, "{", cards.sign("{"))).status).toBe(400);
    const rotated = `${cards.sign(body)},v1=${"0".repeat(64)},v0=${"a".repeat(64)}`;
    expect((await sendEvent(api, body, rotated)).status).toBe(200);
    const long = newEvent({ metadata: { a: "x".repeat(200_000) } });
    expect((await sendEvent(api, long, cards.sign(long))).status).toBe(200);
    const huge = "x".repeat(300_000);
    expect((await sendEvent(api, huge, cards.sign(huge))).status).toBe(413);
  });

  test("without a signature are refused before anything of them is read", async ({ baseURL }) => {
    for (const signature of ["", "Stripe-Signature: t=1,v1=\r\n"]) {
      const { port } = new URL(String(baseURL));
      const socket = net.connect(Number(port), "127.0.0.1");
      await once(socket, "connect");
      // The body is never sent.
      socket.write(
        `POST /api/stripe/webhook HTTP/1.1\r\nHost: 127.0.0.1\r\n${signature}Content-Length: 200000\r\n\r\n`,
      );
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
      socket.destroy();
    }
  });

  test("are idempotent", async ({ api, database: db, cards }) => {
    const id = `evt_once_${process.pid}`;
    const { json: intent } = await cards.call("payment_intents", {
      amount: "500",
      currency: "eur",
    });
    const body = newEvent({ id, type: "payment_intent.canceled", data: { object: intent } });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendEvent(api, body, cards.sign(body))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const rows = await db.select().from(paymentEvents).where(eq(paymentEvents.id, id));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.processedAt).toBeInstanceOf(Date);
  });

  test("of other shops on the account change nothing", async ({ api, database: db, cards }) => {
    const { json } = await cards.call("payment_intents", {
      amount: "500",
      currency: "eur",
      confirm: "true",
      payment_method: "pm_card_visa",
      "metadata[checkout]": "00000000-0000-4000-8000-000000000000",
      "metadata[shop]": "https://ailleurs.exemple",
    });
    // The shop has answered the payment's events.
    await expectDelivered(cards);
    const rows = await db
      .select()
      .from(paymentClosures)
      .where(eq(paymentClosures.paymentIntentId, json.id));
    expect(rows).toEqual([]);
    await expect.poll(async () => (await api.get("/api/home")).status).toBe(200);
  });

  test("about a cancelled payment close its checkout", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await openPayment({ api, buyer });
    await cards.call(`payment_intents/${paymentIdOf(secret)}/cancel`);
    await expect.poll(async () => (await checkoutOf(db, secret))?.status).toBe("cancelled");
    expect(await openPayment({ api, buyer })).not.toBe(secret);
  });
});

test.describe("an account that is erased", () => {
  const erase = async (api: Api, { token }: Buyer) =>
    expect((await api.delete("/api/account/delete/hard", { token })).status).toBe(200);
  const settle = (api: Api, secret: string | undefined) =>
    api.post<{ settled: { cancelled: number; refunded: number } }>("/api/cron/checkouts?due=all", {
      token: secret,
    });

  test("with an open payment: it is cancelled", async ({ api, database: db, cards, shopEnv }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await openPayment({ api, buyer });
    await erase(api, buyer);
    expect((await settle(api, shopEnv.CRON_SECRET)).status).toBe(200);
    // The shop's own worker may be settling it at the same time.
    await expect.poll(async () => (await closureOf(db, secret))?.outcome).toBe("cancelled");
    expect((await cards.pay(secret)).status).toBe(400);
  });

  test("after paying, before the shop knew: the payment is refunded, and the buyer notified", async ({
    api,
    database: db,
    cards,
    mailbox,
    shopEnv,
  }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    const secret = await payCartUnheard({ api, buyer, cards });
    await erase(api, buyer);
    await settle(api, shopEnv.CRON_SECRET);
    await expect.poll(async () => (await closureOf(db, secret))?.outcome).toBe("refunded");
    expect(await paymentOf(cards, secret)).toMatchObject({ taken: 4290, refunded: 4290 });
    await expect
      .poll(() => mailbox.list({ to: buyer.email }).map(({ subject }) => subject))
      .toEqual([
        "Votre compte a été supprimé",
        expect.stringMatching(/^Votre paiement de 42,90\s€ est remboursé$/),
      ]);
    expect(await orderOf(db, secret)).toBeUndefined();
    // The e-mail address is deleted with the last row that needed it.
    expect(await closureOf(db, secret)).toMatchObject({ recipient: null, refundedCents: 4290 });
  });

  test("after its purchase: the order stays", async ({ api, database: db, cards }) => {
    const { buyer } = await createBuyerWithCart({ api, db });
    await cards.fault({ webhook: "payment_intent.succeeded", effect: "never" });
    const secret = await payCart({ api, buyer, cards });
    expect((await confirm({ api, buyer, secret })).status).toBe(201);
    await erase(api, buyer);
    const object = { object: "payment_intent", id: paymentIdOf(secret) };
    const body = newEvent({ type: "payment_intent.succeeded", data: { object } });
    for (let i = 0; i < 2; i++)
      expect((await sendEvent(api, body, cards.sign(body))).status).toBe(200);
    expect(await orderOf(db, secret)).toMatchObject({ userId: null });
    expect(await paymentOf(cards, secret)).toMatchObject({ taken: 4290, refunded: 0 });
  });
});

test("with a live key nothing is sold before the seller is known", async ({ shopWith }) => {
  const { api, database: db } = await shopWith({
    env: {
      STRIPE_SECRET_KEY: "sk_live_of_the_tests",
      STRIPE_PUBLISHABLE_KEY: "pk_live_of_the_tests",
      STRIPE_WEBHOOK_SECRET: "whsec_of_the_tests",
    },
  });
  await db.delete(shopSettings);
  const { token } = await newAdmin(db);
  const { buyer } = await createBuyerWithCart({ api, db });
  const missing = async () =>
    (await api.get<{ missingToSell: string[] }>("/api/admin/dashboard", { token })).json
      .missingToSell;
  const pay = async () => {
    const { status, json } = await requestPayment({ api, buyer });
    return [status, json.error];
  };
  const refused = [
    409,
    "La boutique ne peut pas encore vendre\u00a0: l'identité du vendeur ou ses conditions générales manquent. Votre carte n'est pas débitée.",
  ];
  const terms = "les conditions générales de vente";
  expect(await pay()).toEqual(refused);
  expect(await missing()).toEqual(["la raison sociale", "l’adresse", "le SIREN", terms]);
  expect(await db.select().from(checkouts).where(eq(checkouts.userId, buyer.id))).toEqual([]);
  expect((await api.get("/api/ready")).status).toBe(200);

  const seller = {
    legalName: "Les Tisserands SARL",
    address: "4 rue du Fil\n59100 Roubaix",
    siren: "552081317",
    vatNumber: "FR03552081317",
    email: "compta@tisserands.test",
  };
  await api.put("/api/admin/seller", { token, json: { ...seller, version: 0 } });
  expect(await missing()).toEqual([terms]);
  await api.put("/api/admin/seller", { token, json: { terms: "# Prix\nEn euros." } });
  expect(await missing()).toEqual([]);
  // The request reaches the card sandbox, which accepts no live key.
  expect(await pay()).toEqual([
    503,
    "Le service de paiement est momentanément indisponible. Réessayez dans un instant.",
  ]);
});

test("the browser gets the provider's configuration", async ({ api, database: db, cards }) => {
  const { token } = await createBuyer(db);
  const { json } = await api.get("/api/checkout/configuration", { token });
  expect(json).toEqual({ publishableKey: "pk_test_sandbox", sandboxUrl: cards.url });
});

test("a soft-deleted account still gets its paid order", async ({ api, database: db, cards }) => {
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await openPayment({ api, buyer });
  await db.update(users).set({ isDeleted: true }).where(eq(users.id, buyer.id));
  await cards.pay(secret);
  await expect.poll(() => orderOf(db, secret)).toBeTruthy();
  expect((await queuedMails(db, buyer.email)).map(({ template }) => template)).toEqual([
    "order-confirmation",
  ]);
});
