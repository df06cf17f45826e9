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
  confirm,
  createBuyer,
  createBuyerWithCart,
  openPayment,
  payCart,
  payCartUnheard,
  requestPayment,
} from "../buying";
import { type Cards, expectDelivered, paymentIdOf } from "../cards";
import { expect, test as shopTest } from "../fixtures";
import { queuedMails } from "../mailbox";
import { downloadPdf, textOfPdf } from "../pdf";

interface CartLine {
  quantity: number;
  product: { id: number; price: number };
  previousPrice: number | null;
}

const cartOf = async (api: Api, { token }: { token: string }) =>
  (await api.get<{ items: CartLine[] }>("/api/cart", { token })).json.items;

const linesOf = (db: Database, orderId: number) =>
  db.select().from(orderLines).where(eq(orderLines.orderId, orderId)).orderBy(orderLines.id);

const isCheckoutOf = (secret: string) => eq(checkouts.paymentIntentId, paymentIdOf(secret));

/** What shop and provider have written about the payment of a client secret. */
const createBooks = (db: Database, cards: Cards) => ({
  order: async (secret: string) => {
    const isOrder = eq(orders.paymentIntentId, paymentIdOf(secret));
    const [order, ...others] = await db.select().from(orders).where(isOrder);
    expect(others).toEqual([]);
    return order;
  },
  checkout: async (secret: string) =>
    (await db.select().from(checkouts).where(isCheckoutOf(secret)))[0],
  closure: async (secret: string) => {
    const isClosure = eq(paymentClosures.paymentIntentId, paymentIdOf(secret));
    return (await db.select().from(paymentClosures).where(isClosure))[0];
  },
  payment: async (secret: string) =>
    (await cards.books()).payments.find(({ id }) => id === paymentIdOf(secret)),
});

/** A customer with a product (42,90 €) in the cart, and the steps of the purchase. */
async function createShopper({
  cards,
  ...options
}: { cards: Cards } & Parameters<typeof createBuyerWithCart>[0]) {
  const { api, db } = options;
  const { buyer, product } = await createBuyerWithCart(options);
  const own = { api, buyer };
  return {
    ...buyer,
    product,
    add: (productId = product.id, quantity = 1) => addToCart({ ...own, productId, quantity }),
    request: (more: Omit<Parameters<typeof requestPayment>[0], keyof typeof own> = {}) =>
      requestPayment({ ...own, ...more }),
    open: () => openPayment(own),
    pay: () => payCart({ ...own, cards }),
    payUnheard: () => payCartUnheard({ ...own, cards }),
    confirm: (secret: string) => confirm({ ...own, secret }),
    cart: () => cartOf(api, buyer),
    mails: () => queuedMails(db, buyer.email),
    erase: async () => {
      const { status } = await api.delete("/api/account/delete/hard", { token: buyer.token });
      expect(status).toBe(200);
    },
  };
}

type Shopper = Awaited<ReturnType<typeof createShopper>>;

const test = shopTest.extend<{ shopper: Shopper; books: ReturnType<typeof createBooks> }>({
  shopper: async ({ api, database: db, cards }, use) =>
    use(await createShopper({ api, db, cards })),
  books: async ({ database, cards }, use) => use(createBooks(database, cards)),
});

const expectConfirmed = async (shopper: Shopper, secret: string) => {
  const { status, text } = await shopper.confirm(secret);
  expect([200, 201], text).toContain(status);
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
    books,
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
    const place = { street: "1 place Bellecour", type: "billing" } as const;
    const billing = await createAddress({ db, userId: buyer.id, ...place });
    const answer = await requestPayment({ api, buyer, billingAddressId: billing.id });
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.json)).toEqual(["clientSecret"]);
    const secret = answer.json.clientSecret;
    expect((await cards.pay(secret)).json).toMatchObject({ status: "succeeded", amount: 8695 });

    const confirmed = await confirm({ api, buyer, secret });
    expect([200, 201]).toContain(confirmed.status);
    const order = await books.order(secret);
    if (!order) throw new Error("There is no order.");
    expect(confirmed.json).toEqual({ orderId: order.id, orderTotal: 86.95 });
    expect(order).toMatchObject({
      number: expect.stringMatching(/^CMD-\d{4}-\d{6}$/),
      userId: buyer.id,
      buyerEmail: buyer.email,
      totalCents: 8695,
      shippingStreet: "12 rue des Lilas",
      billingStreet: "1 place Bellecour",
    });
    const lines = await linesOf(db, order.id);
    expect(lines).toMatchObject([
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
      number: expect.stringMatching(/^FA-\d{4}-\d{6}$/),
      userId: buyer.id,
      source: "checkout",
      totalCents: 8695,
      paymentId: paymentIdOf(secret),
      snapshot: {
        orderNumber: order.number,
        seller: { siren: expect.stringMatching(/./) },
        buyer: { email: buyer.email },
        billingAddress: { street: "1 place Bellecour", city: "Lyon", postalCode: "69003" },
        lines: [
          { name: lamp.name, quantity: 2, unitPriceCents: 4290, vatRateBp: 2000 },
          { name: guide.name, quantity: 1, unitPriceCents: 115, vatRateBp: 550 },
        ],
      },
    });

    expect(await cartOf(api, buyer)).toEqual([]);
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
    books,
  }) => {
    const options = { priceCents: 1000, quantity: 2 };
    const shopper = await createShopper({ api, db, cards, ...options });
    const { product, token } = shopper;
    const [gone, other] = [await createProduct({ db }), await createProduct({ db })];
    await shopper.add(gone.id);
    const secret = await shopper.payUnheard();
    await shopper.add(product.id, 3);
    await shopper.add(other.id);
    await db
      .update(products)
      .set({ priceCents: 9900, name: "Autre nom" })
      .where(eq(products.id, product.id));
    await db.delete(products).where(eq(products.id, gone.id));
    await api.delete(`/api/addresses_front/${shopper.addressId}`, { token });

    const json = { shippingAddressId: 999_999, paymentIntentId: paymentIdOf(secret) };
    const confirmed = await api.post("/api/cart/confirm-order", { token, json });
    expect(confirmed.status, confirmed.text).toBe(201);
    const order = await books.order(secret);
    expect(confirmed.json).toEqual({ orderId: order?.id, orderTotal: 39.9 });
    expect(order).toMatchObject({ totalCents: 3990, shippingStreet: "12 rue des Lilas" });
    expect(await linesOf(db, order?.id ?? 0)).toMatchObject([
      { productId: product.id, name: product.name, unitPriceCents: 1000, quantity: 2 },
      { productId: null, name: gone.name, unitPriceCents: 1990, quantity: 1 },
    ]);
    expect(await shopper.cart()).toMatchObject([
      { product: { id: product.id }, quantity: 3 },
      { product: { id: other.id }, quantity: 1 },
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
    const staffPath = `/api/admin_orders/${confirmed.orderId}`;
    expect((await api.get(staffPath, { token: admin.token })).json).toMatchObject({
      shippingAddress: {
        shippingStreet: "12 rue des Lilas",
        shippingRecipient: "Jeanne Roux",
        shippingCompany: "Atelier Roux",
        shippingComplement: "Bâtiment B",
        shippingPhone: "06 12 34 56 78",
      },
      billingAddress: { billingRecipient: "Jeanne Roux", billingPhone: "06 12 34 56 78" },
    });

    const lines =
      "Jeanne Roux Atelier Roux Bâtiment B 12 rue des Lilas 69003 Lyon Tél. : 06 12 34 56 78";
    const invoice = await downloadPdf({
      shop,
      path: `/api/invoices/${order.invoiceId}/download`,
      token: buyer.token,
    });
    expect(await textOfPdf(invoice)).toContain(lines);
    const slip = await fetch(`${shop.baseURL}/api/packing_slips`, {
      method: "POST",
      headers: { Authorization: `Bearer ${admin.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ orders: [confirmed.orderId] }),
    });
    expect(await textOfPdf(new Uint8Array(await slip.arrayBuffer()))).toContain(lines);
    const mail = await mailbox.waitForMail({ to: buyer.email });
    expect(mail.text.replace(/\s+/g, " ")).toContain(
      "Jeanne Roux, Atelier Roux, Bâtiment B, 12 rue des Lilas, 69003 Lyon",
    );

    // Staff correct one line; the others stay.
    const corrected = await api.put(staffPath, {
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

  test("does not touch a cart of another user", async ({ api, database: db, shopper }) => {
    const { product } = shopper;
    const other = await createBuyer(db);
    const secret = await shopper.payUnheard();
    await db.update(carts).set({ userId: other.id }).where(eq(carts.userId, shopper.id));
    // The buyer's new cart has a line of its own for the product.
    await shopper.add();
    expect((await shopper.confirm(secret)).status).toBe(201);
    for (const lines of [await shopper.cart(), await cartOf(api, other)])
      expect(lines.map(({ product: { id } }) => id)).toEqual([product.id]);
  });

  test("after a card that was declined, and one that asks for authentication", async ({
    cards,
    shopper,
    books,
  }) => {
    const secret = await shopper.open();
    const expectUnpaid = async () => {
      const { status, json } = await shopper.confirm(secret);
      const sentence = "Le paiement n'a pas pu être confirmé. Veuillez réessayer.";
      expect([status, json.error]).toEqual([402, sentence]);
      // The payment step may be opened again, without a second payment.
      expect(await shopper.open()).toBe(secret);
    };
    expect((await cards.pay(secret, "pm_card_chargeDeclined")).status).toBe(402);
    await expectUnpaid();
    const asked = await cards.pay(secret, "pm_card_authenticationRequired");
    expect(asked.json.status).toBe("requires_action");
    await expectUnpaid();
    await cards.authenticate(asked.json, "authorized");
    await expectConfirmed(shopper, secret);
    expect(await books.order(secret)).toBeTruthy();
  });
});

test.describe("the payment step", () => {
  test("keeps its payment with an unchanged cart", async ({ database: db, shopper, books }) => {
    const secret = await shopper.open();
    const same = await shopper.request({
      shippingAddressId: `/api/addresses_front/${shopper.addressId}`,
      billingAddressId: String(shopper.addressId),
    });
    expect(same.json.clientSecret, same.text).toBe(secret);
    const checkout = await books.checkout(secret);
    expect(checkout?.status).toBe("pending");
    expect(await books.payment(secret)).toMatchObject({
      amount: 4290,
      currency: "eur",
      metadata: { checkout: checkout?.id },
    });
    // Another address keeps the payment, and is used for the order.
    const other = await createAddress({ db, userId: shopper.id, street: "8 rue Neuve" });
    const again = await shopper.request({ shippingAddressId: other.id });
    expect(again.json.clientSecret).toBe(secret);
    expect((await books.checkout(secret))?.shippingAddress.street).toBe("8 rue Neuve");
  });

  test("does not lose a payment of the former cart", async ({ cards, shopper, books }) => {
    await cards.fault({ webhook: "payment_intent.succeeded", effect: "never" });
    const secret = await shopper.pay();
    await shopper.add();
    const refused = await shopper.request();
    const order = await books.order(secret);
    expect([refused.status, refused.json.error]).toEqual([
      409,
      `Votre paiement a bien été reçu\u00a0: votre commande ${order?.number} est enregistrée. Vous la trouverez dans «\u00a0Mes commandes\u00a0».`,
    ]);
    // The added piece can be paid.
    const next = await shopper.open();
    expect((await cards.pay(next)).json.amount).toBe(4290);
  });

  test("refuses carts that cannot be paid, in French", async ({ api, database: db }) => {
    const buyer = await createBuyer(db);
    const stranger = await createBuyer(db);
    const say = async (more: Partial<Parameters<typeof requestPayment>[0]> = {}) => {
      const { status, json } = await requestPayment({ api, buyer, ...more });
      const { violations: [violation] = [], error } = json as unknown as Refusal;
      return [status, ...(violation ? [violation.propertyPath, violation.message] : [error])];
    };
    expect(await say()).toEqual([422, "", "Votre panier est vide."]);

    const cheap = await createProduct({ db, priceCents: 49 });
    await addToCart({ api, buyer, productId: cheap.id });
    expect(await say()).toEqual([
      422,
      "",
      "Le total d'un paiement par carte doit être d'au moins 0,50\u00a0€\u00a0: il manque 0,01\u00a0€. Ajoutez un autre produit.",
    ]);
    const lamp = await createProduct({ db });
    await addToCart({ api, buyer, productId: lamp.id });

    const unknown = "Cette adresse n'est pas dans votre carnet d'adresses.";
    for (const [field, id, message] of [
      ["shippingAddressId", stranger.addressId, unknown],
      ["billingAddressId", 2_000_000_000, unknown],
      ["shippingAddressId", null, "Ce champ est obligatoire."],
    ] as const)
      expect(await say({ [field]: id })).toEqual([422, field, message]);
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

  test("never charges a price that was not shown", async ({ database: db, cards, shopper }) => {
    const before = await shopper.open();
    const isProduct = eq(products.id, shopper.product.id);
    await db.update(products).set({ priceCents: 4500 }).where(isProduct);
    for (let i = 0; i < 2; i++) {
      const { status, json } = await shopper.request();
      expect([status, json.error]).toEqual([
        409,
        "Le prix d'un produit de votre panier a changé. Vérifiez votre panier avant de payer.",
      ]);
    }
    // The cart shows the new price and the previous one.
    for (let i = 0; i < 2; i++)
      expect(await shopper.cart()).toMatchObject([{ product: { price: 45 }, previousPrice: 42.9 }]);
    const secret = await shopper.open();
    expect(secret).not.toBe(before);
    expect((await cards.pay(before)).status).toBe(400);
    expect((await cards.pay(secret)).json.amount).toBe(4500);
  });
});

/** Expects that all was refunded without an order, and that the buyer is told, and still has the cart. */
async function expectGivenBack({
  shopper,
  books,
  secret,
  cents = 4290,
}: {
  shopper: Shopper;
  books: ReturnType<typeof createBooks>;
  secret: string;
  cents?: number;
}): Promise<void> {
  await expect.poll(async () => (await books.checkout(secret))?.status).toBe("refunded");
  expect(await books.payment(secret)).toMatchObject({ taken: cents, refunded: cents });
  expect((await shopper.confirm(secret)).status).toBe(409);
  expect(await books.order(secret)).toBeUndefined();
  // The mail invites a reply.
  expect(await shopper.mails()).toMatchObject([
    { template: "payment-refunded", replyTo: "contact@mini-ecommerce.test" },
  ]);
  expect(await shopper.cart()).toHaveLength(1);
  expect(await shopper.open()).not.toBe(secret);
}

test.describe("a confirmation", () => {
  test("of no payment of one's own is refused", async ({ api, database: db, shopper, books }) => {
    const stranger = await createBuyer(db);
    const secret = await shopper.payUnheard();
    const refused = await confirm({ api, buyer: stranger, secret });
    expect([refused.status, refused.json.error]).toEqual([404, "Ce paiement n'existe pas."]);
    expect((await shopper.confirm("pi_unknown_secret_x")).status).toBe(404);
    for (const paymentIntentId of [undefined, "", 7]) {
      const json = { paymentIntentId };
      const { status } = await api.post("/api/cart/confirm-order", { token: shopper.token, json });
      expect(status).toBe(422);
    }
    expect(await books.order(secret)).toBeUndefined();
    expect((await shopper.confirm(secret)).status).toBe(201);
  });

  test("of another amount is refunded", async ({ cards, mailbox, shopper, books }) => {
    const secret = await shopper.open();
    await cards.fault({ webhook: "payment_intent.succeeded", effect: "never" });
    await cards.call(`payment_intents/${paymentIdOf(secret)}`, { amount: "100" });
    expect((await cards.pay(secret)).json.amount).toBe(100);
    const refused = await shopper.confirm(secret);
    expect([refused.status, refused.json.error]).toEqual([
      409,
      "Le montant payé ne correspond pas à une commande en cours\u00a0: il vous est remboursé.",
    ]);
    const subject = /^Votre paiement de 1,00\s€ est remboursé$/;
    await mailbox.waitForMail({ to: shopper.email, subject });
    await expectGivenBack({ shopper, books, secret, cents: 100 });
  });

  for (const amount of [4290, 1000])
    test(`of a payment of which ${amount} of 4290 cents were refunded at the provider creates no order`, async ({
      cards,
      shopper,
      books,
    }) => {
      await cards.fault({ webhook: "*", effect: "never", times: 9 });
      const secret = await shopper.pay();
      const payment_intent = paymentIdOf(secret);
      await cards.call("refunds", { payment_intent, amount: String(amount) });
      await cards.clearFaults();
      expect((await shopper.confirm(secret)).status).toBe(409);
      await expectGivenBack({ shopper, books, secret });
    });
});

test("a payment for a closed checkout is refunded", async ({
  database: db,
  cards,
  shopper,
  books,
}) => {
  const secret = await shopper.open();
  await db.update(checkouts).set({ status: "cancelled" }).where(isCheckoutOf(secret));
  expect((await shopper.confirm(secret)).status).toBe(402);
  await cards.pay(secret);
  await expectGivenBack({ shopper, books, secret });
});

test("a checkout closed long ago is deleted, and a payment for it is still refunded", async ({
  api,
  database: db,
  cards,
  shopper,
  books,
  shopEnv,
}) => {
  const endCheckout = async ({ open }: Shopper, days: number) => {
    const secret = await open();
    await db
      .update(checkouts)
      .set({ status: "cancelled", updatedAt: sql`now() - make_interval(days => ${days})` })
      .where(isCheckoutOf(secret));
    return secret;
  };
  const secret = await endCheckout(shopper, 91);
  const young = await endCheckout(await createShopper({ api, db, cards }), 89);
  await api.post("/api/cron/checkouts?due=all", { token: shopEnv.CRON_SECRET });
  expect(await books.checkout(secret)).toBeUndefined();
  expect(await books.checkout(young)).toBeDefined();

  expect((await cards.pay(secret)).json.status).toBe("succeeded");
  await expect.poll(async () => (await books.payment(secret))?.refunded).toBe(4290);
  expect((await shopper.confirm(secret)).status).toBe(404);
  expect(await books.order(secret)).toBeUndefined();
  expect(await shopper.cart()).toHaveLength(1);
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
      cards.sign(body).replace(/t=\d+/, "t="),
      `${cards.sign(body)},v1=é`,
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
    const { port } = new URL(String(baseURL));
    for (const signature of ["", "Stripe-Signature: t=1,v1=\r\n"]) {
      const socket = net.connect(Number(port), "127.0.0.1");
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

  test("of other shops on the account change nothing", async ({ api, cards, books }) => {
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
    expect(await books.closure(json.id)).toBeUndefined();
    expect((await api.get("/api/ready")).status).toBe(200);
  });

  test("about a cancelled payment close its checkout", async ({ cards, shopper, books }) => {
    const secret = await shopper.open();
    await cards.call(`payment_intents/${paymentIdOf(secret)}/cancel`);
    await expect.poll(async () => (await books.checkout(secret))?.status).toBe("cancelled");
    expect(await shopper.open()).not.toBe(secret);
  });
});

test.describe("an account that is erased", () => {
  const settle = (api: Api, token: string | undefined) =>
    api.post("/api/cron/checkouts?due=all", { token });

  test("with an open payment: it is cancelled", async ({ api, cards, shopper, books, shopEnv }) => {
    const secret = await shopper.open();
    await shopper.erase();
    expect((await settle(api, shopEnv.CRON_SECRET)).status).toBe(200);
    // The shop's own worker may be settling it at the same time.
    await expect.poll(async () => (await books.closure(secret))?.outcome).toBe("cancelled");
    expect((await cards.pay(secret)).status).toBe(400);
  });

  test("after paying, before the shop knew: the payment is refunded, and the buyer notified", async ({
    api,
    mailbox,
    shopper,
    books,
    shopEnv,
  }) => {
    const secret = await shopper.payUnheard();
    await shopper.erase();
    await settle(api, shopEnv.CRON_SECRET);
    await expect.poll(async () => (await books.closure(secret))?.outcome).toBe("refunded");
    expect(await books.payment(secret)).toMatchObject({ taken: 4290, refunded: 4290 });
    const subjects = () => mailbox.list({ to: shopper.email }).map(({ subject }) => subject);
    await expect
      .poll(subjects)
      .toEqual([
        "Votre compte a été supprimé",
        expect.stringMatching(/^Votre paiement de 42,90\s€ est remboursé$/),
      ]);
    expect(await books.order(secret)).toBeUndefined();
    // The e-mail address is deleted with the last row that needed it.
    expect(await books.closure(secret)).toMatchObject({ recipient: null, refundedCents: 4290 });
  });

  test("after its purchase: the order stays", async ({ api, cards, shopper, books }) => {
    await cards.fault({ webhook: "payment_intent.succeeded", effect: "never" });
    const secret = await shopper.pay();
    expect((await shopper.confirm(secret)).status).toBe(201);
    await shopper.erase();
    const object = { object: "payment_intent", id: paymentIdOf(secret) };
    const body = newEvent({ type: "payment_intent.succeeded", data: { object } });
    for (let i = 0; i < 2; i++)
      expect((await sendEvent(api, body, cards.sign(body))).status).toBe(200);
    expect(await books.order(secret)).toMatchObject({ userId: null });
    expect(await books.payment(secret)).toMatchObject({ taken: 4290, refunded: 0 });
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
  expect(await pay()).toEqual([
    409,
    "La boutique ne peut pas encore vendre\u00a0: l'identité du vendeur ou ses conditions générales manquent. Votre carte n'est pas débitée.",
  ]);
  expect(await missing()).toHaveLength(4);
  expect(await db.$count(checkouts, eq(checkouts.userId, buyer.id))).toBe(0);
  expect((await api.get("/api/ready")).status).toBe(200);

  const seller = {
    legalName: "Les Tisserands SARL",
    address: "4 rue du Fil\n59100 Roubaix",
    siren: "552081317",
    vatNumber: "FR03552081317",
    email: "compta@tisserands.test",
  };
  for (const json of [{ ...seller, version: 0 }, { terms: "# Prix\nEn euros." }])
    expect((await api.put("/api/admin/seller", { token, json })).status).toBe(200);
  expect(await missing()).toEqual([]);
  // The request reaches the card sandbox, which accepts no live key.
  expect((await pay())[0]).toBe(503);
});

test("a soft-deleted account still gets its paid order", async ({
  database: db,
  cards,
  shopper,
  books,
}) => {
  const secret = await shopper.open();
  await db.update(users).set({ isDeleted: true }).where(eq(users.id, shopper.id));
  await cards.pay(secret);
  await expect.poll(() => books.order(secret)).toBeTruthy();
  expect(await shopper.mails()).toMatchObject([{ template: "order-confirmation" }]);
});
