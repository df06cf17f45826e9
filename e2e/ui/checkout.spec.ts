import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { invoices } from "@/db/schema/invoices";
import { ORDER_STATUS_LABELS } from "@/lib/shop/order-status";
import type { ProductType } from "@/lib/shop/product-type";
import { expectAccessible } from "../axe";
import { openSession, submitLogin } from "../browser-session";
import { ordersOf } from "../buying";
import type { Cards } from "../cards";
import {
  alertOf,
  continueButton,
  expectText,
  fillCard,
  openCheckout,
  payButton,
  summary,
} from "../checkout-page";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { holdRequests, releaseAndSettle } from "../hold-requests";
import { plainSpaces, trackedBy, WIDTHS } from "../storefront";

/** A logged-in customer with two default addresses and a lamp (42,90 €) in the cart. */
async function customerWithCart({
  page,
  db,
  type = "physical",
}: {
  page: Page;
  db: Database;
  type?: ProductType;
}) {
  const user = await createUser({ db });
  await createAddress({ db, userId: user.id, isDefault: true });
  await createAddress({
    db,
    userId: user.id,
    street: "1 place Bellecour",
    postalCode: "69002",
    type: "billing",
    isDefaultBilling: true,
  });
  const lamp = await createProduct({ db, name: "Lampe Aube", type, priceCents: 4290 });
  await createCart({ db, userId: user.id, items: [{ productId: lamp.id }] });
  await openSession(page, user);
  return { user, lamp };
}

const WAIVER = "renoncez pour eux à votre droit de rétractation";

const cardNumber = (page: Page) => page.getByLabel("Numéro de carte");
const backButton = (page: Page) => page.getByRole("button", { name: "Retour", exact: true });
const toCart = (page: Page) => page.getByRole("main").getByRole("link", { name: "Voir le panier" });
const radio = (page: Page, group: string, text: string): Locator =>
  page.getByRole("group", { name: group }).getByRole("radio", { name: text });

async function openCard(page: Page) {
  await openCheckout(page);
  await continueButton(page).click();
  await expect(cardNumber(page)).toBeVisible();
}

/** A customer on the payment step, with a card filled in. */
async function readyToPay({ page, db }: { page: Page; db: Database }) {
  const customer = await customerWithCart({ page, db });
  await openCard(page);
  await fillCard(page);
  return customer;
}

const setPrice = (db: Database, { id, priceCents }: { id: number; priceCents: number }) =>
  db.update(products).set({ priceCents }).where(eq(products.id, id));

/** Expects the confirmation, and exactly one order and one invoice. Returns the order. */
async function expectOrdered({ page, db, userId }: { page: Page; db: Database; userId: number }) {
  await expect(page).toHaveURL(/\/order\/\d+\/confirmation$/);
  await expect(page.getByRole("heading", { name: "Merci pour votre commande" })).toBeVisible();
  const [order, ...others] = await ordersOf(db, userId);
  expect(others).toEqual([]);
  if (!order) throw new Error("There is no order.");
  expect(await db.$count(invoices, eq(invoices.orderId, order.id))).toBe(1);
  await expect(page).toHaveURL(`/order/${order.id}/confirmation`);
  return order;
}

/** Expects that the provider has charged the order once. */
async function expectChargedOnce(cards: Cards, order: { paymentIntentId: string | null }) {
  const { payments } = await cards.books();
  expect(payments.filter(({ id }) => id === order.paymentIntentId)).toMatchObject([
    { amount: 4290, status: "succeeded" },
  ]);
}

test("addresses are loaded again after a failure, have to be chosen, and may be gone", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(422, 500);
  const user = await createUser({ db });
  const { id: productId } = await createProduct({ db });
  await createCart({ db, userId: user.id, items: [{ productId }] });
  for (const street of ["1 rue Une", "2 rue Deux"])
    for (const type of ["shipping", "billing"] as const)
      await createAddress({ db, userId: user.id, street, type });
  await openSession(page, user);
  await page.route("**/api/addresses_front", (route) => route.fulfill({ status: 500 }));
  await openCheckout(page);
  const failure = "Impossible de charger les adresses.";
  await expect(page.getByText(failure, { exact: true })).toBeVisible();
  await page.unroute("**/api/addresses_front");
  await page.getByRole("button", { name: "Réessayer" }).click();

  await expect(page.getByText("Choisissez une adresse de livraison.")).toBeVisible();
  await expect(continueButton(page)).toBeDisabled();
  await expectAccessible(page);
  await radio(page, "Adresse de livraison", "2 rue Deux").check();
  await expect(page.getByText("Choisissez une adresse de facturation.")).toBeVisible();
  await expect(continueButton(page)).toBeDisabled();
  await radio(page, "Adresse de facturation", "1 rue Une").check();
  await expect(continueButton(page)).toBeEnabled();

  await db.delete(addresses).where(eq(addresses.street, "2 rue Deux"));
  await continueButton(page).click();
  await expect(alertOf(page)).toHaveText("Cette adresse n'est pas dans votre carnet d'adresses.");
  await expect(page.getByText("2 rue Deux")).toHaveCount(0);
  await expect(radio(page, "Adresse de livraison", "1 rue Une")).toBeChecked();
  await expect(toCart(page)).toHaveCount(0);
  await continueButton(page).click();
  await expect(cardNumber(page)).toBeVisible();
});

test("the checkout starts only from a cart with products, and not by a typed URL", async ({
  page,
  database: db,
}) => {
  await customerWithCart({ page, db });
  await page.goto("/checkout");
  await expect(page).toHaveURL("/cart");
  await openCheckout(page);
  await page.goto("/contact");
  await page.goto("/checkout");
  await expect(page).toHaveURL("/cart");
  await openCheckout(page);
  await page.goto("/contact");
  await page.goBack();
  await expect(page).toHaveURL("/checkout");
  await page.reload();
  await expect(page).toHaveURL("/checkout");
  await expect(continueButton(page)).toBeEnabled();
  await page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem("token")}` };
    await fetch("/api/cart", { method: "DELETE", headers });
  });
  await page.reload();
  await expect(page).toHaveURL("/cart");
});

test("a payment that is opened after the visitor has gone on leaves the history alone", async ({
  page,
  database: db,
}) => {
  await customerWithCart({ page, db });
  await openCheckout(page);
  const url = "**/api/cart/payment-intent";
  const release = await holdRequests(page, url);
  await continueButton(page).click();
  await page.getByRole("link", { name: "Retour au panier" }).click();
  await expect(page).toHaveURL("/cart");
  await releaseAndSettle({ page, url, release });
  await page.goBack();
  await expect(page).toHaveURL("/checkout");
});

test.describe("paying", () => {
  test("a purchase of files by keyboard: they cannot be sent back, and follow with the invoice", async ({
    page,
    database: db,
    mailbox,
  }) => {
    const { user, lamp } = await customerWithCart({ page, db, type: "digital" });
    const downloadLink = "/downloads/lampe.pdf";
    await db.update(products).set({ downloadLink }).where(eq(products.id, lamp.id));
    await openCheckout(page);
    await expect(continueButton(page)).toBeEnabled();
    await continueButton(page).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Paiement par carte" })).toBeFocused();
    await expect(page.getByText(WAIVER)).toBeVisible();
    const terms = page.getByRole("main").getByRole("term");
    await expect(terms.filter({ hasText: "Facturation" })).toBeVisible();
    await expect(terms.filter({ hasText: "Livraison" })).toHaveCount(0);
    await expect(cardNumber(page)).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(cardNumber(page)).toBeFocused();
    for (const text of ["4242424242424242", "1234", "123"]) {
      await page.keyboard.type(text);
      if (text !== "123") await page.keyboard.press("Tab");
    }
    await expect(payButton(page)).toBeEnabled();
    await page.keyboard.press("Enter");

    const order = await expectOrdered({ page, db, userId: user.id });
    await expect(page.getByText("Adresse de facturation")).toBeVisible();
    await expect(page.getByText("Adresse de livraison")).toHaveCount(0);
    const files = page.getByRole("region", { name: "Vos fichiers" });
    await expect(files.getByRole("link", { name: "Télécharger Lampe Aube" })).toBeVisible();
    await expect(summary(page)).toContainText(/Total.*42,90\s€/);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Télécharger la facture" }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^facture-\d+\.pdf$/);
    // Nothing will be sent: the mail shows no steps.
    const mail = await mailbox.waitForMail({ to: user.email });
    expect(mail.html).toContain("Lampe Aube");
    expect(mail.html).not.toContain(ORDER_STATUS_LABELS.shipped);
    await expectFits(page);
    await page.getByRole("link", { name: "Suivre ma commande" }).click();
    await expect(page).toHaveURL(`/orders?commande=${order.number}`);
  });

  test("a purchase from the cart to the confirmation, and to the orders", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWithCart({ page, db });
    await openCard(page);
    await expect(page.getByText("aucun argent n’est débité")).toBeVisible();
    // Content of the initial page is not announced.
    await expect(page.getByRole("main").getByRole("status")).toHaveCount(0);
    await expect(payButton(page)).toBeDisabled();
    expect(plainSpaces((await payButton(page).textContent()) ?? "")).toBe(
      "Payer 42,90 € – commande avec obligation de paiement",
    );
    await expectFits(page);
    for (const [width, most] of [
      [WIDTHS.desktop, 60],
      [WIDTHS.phone, 120],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const footer = await page.getByRole("contentinfo").boundingBox();
      expect(footer?.height).toBeLessThanOrEqual(most);
    }
    // The texts that the law requires before the button, and a way to read them that loses no input.
    await expect(page.getByText(WAIVER)).toBeHidden();
    const [terms] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: "conditions générales de vente" }).click(),
    ]);
    await expect(terms.getByRole("heading", { name: "5. Droit de rétractation" })).toBeVisible();
    await terms.close();
    await fillCard(page);
    await expect(cardNumber(page)).toHaveValue("4242 4242 4242 4242");
    await expect(page.getByLabel("Date d'expiration")).toHaveValue("12 / 34");
    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    expect(order).toMatchObject({
      totalCents: 4290,
      shippingStreet: "12 rue des Lilas",
      billingStreet: "1 place Bellecour",
    });
    expect(await page.evaluate(() => sessionStorage.getItem("lastOrderId"))).toBe(String(order.id));
    await expect(page.getByText(order.number)).toBeVisible();
    await expect(page.getByText("Lampe Aube")).toBeVisible();
    await expectAccessible(page);
    const events = await trackedBy(page);
    for (const event of [
      ["Panier", "Panier payé", undefined, 42.9],
      ["Commandes", "Commande finalisée", undefined, undefined],
    ])
      expect(events).toContainEqual(["trackEvent", ...event]);

    // Going back offers no second payment.
    await page.goBack();
    await expect(page).toHaveURL("/cart");
    await expect(page.getByText("Votre panier est vide.").first()).toBeVisible();
    await page.goto("/checkout");
    await expect(page).toHaveURL("/cart");
    await page.goto(`/order/${order.id}/confirmation`);
    await page.getByRole("link", { name: "Voir mes commandes" }).click();
    await expect(page).toHaveURL("/orders");
    await expect(page.getByRole("rowheader", { name: order.number })).toBeVisible();
  });

  test("a mistyped or declined card shows an error beside its field, and another one pays", async ({
    page,
    database: db,
    cards,
    problems,
  }) => {
    problems.allow(402, 500);
    const { user } = await customerWithCart({ page, db });
    const number = cardNumber(page);
    await test.step("the payment service is loaded again after a failure", async () => {
      const url = "**/api/checkout/configuration";
      await page.route(url, (route) => route.fulfill({ status: 500 }), { times: 1 });
      await openCheckout(page);
      await continueButton(page).click();
      await expect(page.getByText("Le service de paiement n'a pas pu être chargé.")).toBeVisible();
      await page.getByRole("button", { name: "Réessayer" }).click();
      await expect(number).toBeVisible();
    });
    await test.step("the fields show an error when they are left, and keep the cursor", async () => {
      await number.fill("4242 4242");
      await expect(page.getByText("Le numéro de votre carte")).toHaveCount(0);
      await number.blur();
      await expect(page.getByText("Le numéro de votre carte est incomplet.")).toBeVisible();
      await expect(payButton(page)).toBeDisabled();
      await expectAccessible(page);
      await fillCard(page);
      await expect(payButton(page)).toBeEnabled();
      await page.getByLabel("CVC").press("Backspace");
      await expect(payButton(page)).toBeDisabled();
      // In the middle of a number the cursor stays at its digit.
      await number.fill("42424242");
      await number.press("Home");
      for (let step = 0; step < 2; step++) await number.press("ArrowRight");
      await number.pressSequentially("99");
      await expect(number).toHaveValue("4299 4242 42");
      await number.press("ArrowRight");
      await number.press("Backspace");
      await expect(number).toHaveValue("4294 2424 2");
    });
    for (const [refused, sentence] of [
      ["4000000000000002", "Votre carte a été refusée."],
      ["4000000000009995", "Votre carte ne dispose pas de fonds suffisants."],
    ] as const) {
      await fillCard(page, refused);
      await payButton(page).click();
      await expect(alertOf(page).getByText(sentence, { exact: true })).toBeInViewport();
      await expect(payButton(page)).toBeEnabled();
      // Another number comes next.
      await expect(number).toBeFocused();
    }
    expect(await ordersOf(db, user.id)).toEqual([]);
    // After 'Retour' the next payment does not show the errors of the last.
    await backButton(page).click();
    await continueButton(page).click();
    await expect(payButton(page)).toBeVisible();
    await expect(alertOf(page)).toHaveCount(0);
    await fillCard(page);
    await payButton(page).click();
    await expectChargedOnce(cards, await expectOrdered({ page, db, userId: user.id }));
  });

  test("the bank's dialog charges nothing on 'Refuser', and pays on 'Autoriser'", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWithCart({ page, db });
    await openCard(page);
    await fillCard(page, "4000002500003155");
    await payButton(page).click();
    const dialog = page.getByRole("dialog", { name: "Authentification de votre banque" });
    await expect(dialog).toContainText(/42,90\s€/);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Refuser" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(alertOf(page)).toContainText(
      "Nous ne pouvons pas authentifier votre moyen de paiement.",
    );
    expect(await ordersOf(db, user.id)).toEqual([]);
    // Closing the dialog does not authorize the payment either.
    await payButton(page).click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(alertOf(page)).toContainText("Nous ne pouvons pas authentifier");
    await payButton(page).click();
    await dialog.getByRole("button", { name: "Autoriser" }).click();
    await expectOrdered({ page, db, userId: user.id });
  });

  test("'Retour' and the browser's Back keep everything; two clicks are one payment", async ({
    page,
    database: db,
    cards,
    problems,
  }) => {
    problems.allow(404, 500);
    const { user } = await customerWithCart({ page, db });
    await createAddress({ db, userId: user.id, street: "3 quai des Brumes", city: "Nantes" });
    await openCheckout(page);
    await expect(page).toHaveTitle("Commande - Mini Ecommerce");
    await expect(radio(page, "Adresse de livraison", "12 rue des Lilas")).toBeChecked();
    await continueButton(page).click();
    await fillCard(page);
    const card = cardNumber(page);
    await page.goBack();
    await expect(card).toBeHidden();
    await page.goForward();
    await expect(card).toHaveValue("4242 4242 4242 4242");
    await backButton(page).click();
    await expect(card).toBeHidden();
    await expect(page).toHaveURL("/checkout");
    await expect(radio(page, "Adresse de facturation", "1 place Bellecour")).toBeChecked();
    await radio(page, "Adresse de livraison", "3 quai des Brumes").check();
    await continueButton(page).click();
    await expect(card).toHaveValue("4242 4242 4242 4242");
    await expect(page.getByLabel("CVC")).toHaveValue("123");
    await expect(payButton(page)).toBeEnabled();
    await payButton(page).evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
      button.form?.requestSubmit();
    });
    const order = await expectOrdered({ page, db, userId: user.id });
    expect(order.shippingStreet).toBe("3 quai des Brumes");
    await expectChargedOnce(cards, order);

    await test.step("the confirmation is shown only for the order just paid, and only in this tab", async () => {
      await page.reload();
      await expect(page.getByText(order.number)).toBeVisible();
      await page.goto(`/order/${order.id + 1}/confirmation`);
      await expect(page).toHaveURL("/");
      await page.evaluate(() => sessionStorage.removeItem("lastOrderId"));
      await page.goto(`/order/${order.id}/confirmation`);
      await expect(page).toHaveURL("/");
      // Nothing of the confirmation stays in the head.
      await expect(page).toHaveTitle("Accueil - Mini Ecommerce");
      await expect(page.locator("head title")).toHaveCount(1);
      await expect(page.locator('meta[name="description"]')).toHaveCount(1);
      await expect(page.locator('meta[name="robots"][content*="noindex"]')).toHaveCount(0);
    });

    await test.step("the confirmation shows the shop's error message, or its own", async () => {
      await page.evaluate(() => sessionStorage.setItem("lastOrderId", "2147483647"));
      await page.goto("/order/2147483647/confirmation");
      await expect(alertOf(page).getByText("Cette commande n'existe pas.")).toBeVisible();
      await page.route("**/api/orders/*", (route) => route.fulfill({ status: 500 }));
      await page.getByRole("button", { name: "Réessayer" }).click();
      const sentence = "Erreur lors du chargement de la commande.";
      await expect(alertOf(page).getByText(sentence, { exact: true })).toBeVisible();
    });
  });
});

test.describe("failures", () => {
  test("a lost charge and a failed order: each retry goes on where it stopped, and charges once", async ({
    page,
    database: db,
    cards,
    problems,
  }) => {
    problems.allow(/ERR_/);
    problems.allow(500);
    const { user } = await readyToPay({ page, db });
    await cards.fault({ call: "payment_intents.confirm", effect: "drop", when: "after", times: 2 });
    await payButton(page).click();
    await expect(alertOf(page)).toContainText("La connexion au service de paiement");
    await cards.clearFaults();
    await page.route("**/api/cart/confirm-order", (route) => route.fulfill({ status: 500 }));
    await payButton(page).click();
    const sentence = "Erreur lors du paiement ou de la commande.";
    await expect(alertOf(page).getByText(sentence, { exact: true })).toBeVisible();
    await expect(page.getByText("Votre paiement a été accepté")).toBeVisible();
    await page.unroute("**/api/cart/confirm-order");
    const confirmations: string[] = [];
    page.on("request", (request) => {
      if (/\/v1\/.*\/confirm/.test(request.url())) confirmations.push(request.url());
    });
    await payButton(page).click();
    await expectChargedOnce(cards, await expectOrdered({ page, db, userId: user.id }));
    expect(confirmations).toEqual([]);
  });

  test("a refusal of the order shows the shop's message, and is not taken for a payment", async ({
    page,
    database: db,
    problems,
  }) => {
    problems.allow(400, 402, 409);
    await readyToPay({ page, db });
    const expectMessage = async (
      sentence: string,
      { url, ...answer }: { url: string; status?: number; json: object },
    ) => {
      await page.route(url, (route) => route.fulfill(answer));
      await payButton(page).click();
      await expect(alertOf(page).getByText(sentence, { exact: true })).toBeVisible();
      await page.unroute(url);
    };
    await expectMessage("Le paiement n'a pas pu être confirmé. Veuillez réessayer.", {
      url: "**/v1/payment_intents/*/confirm",
      json: { id: "pi_1", status: "processing" },
    });
    const unpaid = "Le paiement n'a pas abouti.";
    const refunded =
      "Le montant payé ne correspond pas à une commande en cours\u00a0: il vous est remboursé.";
    const url = "**/api/cart/confirm-order";
    await expectMessage(unpaid, { url, status: 402, json: { error: unpaid } });
    await expect(page).toHaveURL("/checkout");
    await expectMessage(refunded, { url, status: 409, json: { error: refunded } });
    await expect(page.getByText("Votre paiement a été accepté")).toHaveCount(0);
    await expect(toCart(page)).toBeVisible();
  });

  test("a price that changes before the payment step is not charged; one in it changes nothing", async ({
    page,
    arrange,
    database: db,
    problems,
  }) => {
    problems.allow(409);
    const { user, lamp } = await customerWithCart({ page, db });
    await openCheckout(page);
    await expect(continueButton(page)).toBeEnabled();
    // Wait until the header has loaded the cart too, so that nothing loads it again with the new price.
    await expect(page.locator('#site-header a[href="/cart"] .tabular-nums').first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    await arrange((tx) => setPrice(tx, { id: lamp.id, priceCents: 9990 }));
    await continueButton(page).click();
    await expect(alertOf(page)).toContainText("Vérifiez");
    await expect(cardNumber(page)).toHaveCount(0);
    await expectText(summary(page), "Le prix a changé depuis votre ajout");
    await toCart(page).click();
    await expect(page).toHaveURL("/cart");
    await expect(page.getByText("Le prix a changé depuis votre ajout")).toBeVisible();
    expect(await ordersOf(db, user.id)).toEqual([]);

    await openCard(page);
    await arrange((tx) => setPrice(tx, { id: lamp.id, priceCents: 1000 }));
    await fillCard(page);
    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    expect(order.totalCents).toBe(9990);
  });

  test("of two tabs with other addresses, one pays for its own, and the other shows that order", async ({
    page,
    context,
    database: db,
    cards,
    problems,
  }) => {
    // The second tab tries to pay a payment that is paid.
    problems.allow(400, 422);
    const { user } = await readyToPay({ page, db });
    const elsewhere = { street: "77 rue d'à côté", city: "Lille", postalCode: "59000" };
    await createAddress({ db, userId: user.id, ...elsewhere });
    const other = await context.newPage();
    await openCheckout(other);
    await radio(other, "Adresse de livraison", "77 rue d'à côté").check();
    await continueButton(other).click();
    await fillCard(other);
    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    expect(order.shippingCity).toBe("Lyon");
    await payButton(other).click();
    await expectOrdered({ page: other, db, userId: user.id });
    await expectChargedOnce(cards, order);
  });
});

test("with keys of Stripe the same page brings Stripe's own script, in French", async ({
  page,
  database: db,
  problems,
  shopWith,
}) => {
  problems.allow(/request to another machine: https:\/\/js\.stripe\.com\//);
  // The server still uses the sandbox, which accepts any key.
  const { baseURL } = await shopWith({
    database: "shared",
    env: {
      STRIPE_SECRET_KEY: "sk_test_123",
      STRIPE_PUBLISHABLE_KEY: "pk_test_123",
      STRIPE_WEBHOOK_SECRET: "whsec_123",
    },
  });
  const { user } = await customerWithCart({ page, db });
  // A minimal mock of Stripe.js: a card that is complete at once, and a payment that fails.
  await page.route("https://js.stripe.com/**", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: `window.Stripe = Object.assign((key, options) => {
        window.stripeCalls = [{ key, locale: options.locale }];
        const card = {
          on(name, handler) { if (name === "change") setTimeout(() => handler({ complete: true })); return card; },
          off: () => card, update() {}, destroy() {}, focus() { window.stripeCalls.push("focus"); },
          mount: (box) => { box.textContent = "Carte de Stripe"; },
        };
        const wallets = { on: () => wallets, off: () => wallets, update() {}, destroy() {}, mount() {} };
        return {
          elements: (given) => {
            window.stripeCalls.push(given);
            return { create: (type) => type === "card" ? card : wallets, getElement: () => card, update() {} };
          },
          createToken() {}, createPaymentMethod() {},
          retrievePaymentIntent: async () => ({}),
          confirmCardPayment: async (secret, data) => {
            window.stripeCalls.push({ secret, name: data.payment_method.billing_details.name });
            return { error: { message: "Votre carte a expiré." } };
          },
        };
      }, { version: 3 });`,
    }),
  );
  await openCheckout(page, { origin: baseURL });
  await continueButton(page).click();
  await expect(page.getByText("Carte de Stripe")).toBeVisible();
  await expect(page.getByText("Démonstration")).toHaveCount(0);
  await payButton(page).click();
  await expect(alertOf(page).getByText("Votre carte a expiré.", { exact: true })).toBeVisible();
  const calls = await page.evaluate(
    () => (window as unknown as { stripeCalls: unknown[] }).stripeCalls,
  );
  expect(calls).toEqual([
    { key: "pk_test_123", locale: "fr" },
    { locale: "fr" },
    {
      mode: "payment",
      amount: 4290,
      currency: "eur",
      locale: "fr",
      paymentMethodTypes: ["card"],
    },
    { secret: expect.stringMatching(/_secret_/), name: "Camille Martin" },
    "focus",
  ]);
  expect(await ordersOf(db, user.id)).toEqual([]);
});

for (const { ended, orders, why, next } of [
  { ended: "before", orders: 0, why: "charges nothing", next: "/checkout" },
  { ended: "after", orders: 1, why: "makes an order of what was paid", next: "/orders" },
])
  test(`a session that ends ${ended} the charge leads to the login, and ${why}`, async ({
    page,
    database: db,
    problems,
    cards,
  }) => {
    problems.allow(401);
    const { user } = await readyToPay({ page, db });
    const end = () => db.update(users).set({ sessionVersion: 2 }).where(eq(users.id, user.id));
    if (ended === "before") await end();
    else
      await page.route("**/api/cart/confirm-order", async (route) => {
        await end();
        await route.continue();
      });
    const paid = async () =>
      (await cards.books()).payments.filter(({ status }) => status === "succeeded").length;
    const before = await paid();
    await payButton(page).click();
    await expect(page).toHaveURL("/login");
    await expect(
      page.getByText("Votre session a expiré. Veuillez vous reconnecter.", { exact: true }),
    ).toBeVisible();
    await expect.poll(async () => (await ordersOf(db, user.id)).length).toBe(orders);
    expect(await paid()).toBe(before + orders);
    await submitLogin({ page, email: user.email });
    await expect(page).toHaveURL(next);
  });
