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
import { issueToken } from "@/lib/auth/token";
import { ORDER_STATUS_LABELS } from "@/lib/shop/order-status";
import type { ProductType } from "@/lib/shop/product-type";
import { expectAccessible } from "../axe";
import { openSession, submitLogin } from "../browser-session";
import { ordersOf } from "../buying";
import { alertOf, continueButton, fillCard, openCheckout, payButton } from "../checkout-page";
import { deferred } from "../deferred";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { holdRequests, releaseAndSettle } from "../hold-requests";
import { expectNoSidewaysScroll, plainSpaces, trackedBy, WIDTHS } from "../storefront";

const VISA = "4242424242424242";
const DECLINED = "4000000000000002";
const NO_FUNDS = "4000000000009995";
const AUTHENTICATION = "4000002500003155";

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
  const shipping = await createAddress({ db, userId: user.id, isDefault: true });
  const billing = await createAddress({
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
  return { user, shipping, billing, lamp };
}

const WAIVER = "renoncez pour eux à votre droit de rétractation";

async function openCard(page: Page) {
  await openCheckout(page);
  await continueButton(page).click();
  await expect(page.getByLabel("Numéro de carte")).toBeVisible();
}

/** A customer on the payment step, with a card filled in. */
async function readyToPay({ page, db }: { page: Page; db: Database }) {
  const customer = await customerWithCart({ page, db });
  await openCard(page);
  await fillCard(page);
  return customer;
}

/** Expects the confirmation, and exactly one order and one invoice. Returns the order. */
async function expectOrdered({ page, db, userId }: { page: Page; db: Database; userId: number }) {
  await expect(page).toHaveURL(/\/order\/\d+\/confirmation$/);
  await expect(page.getByRole("heading", { name: "Merci pour votre commande" })).toBeVisible();
  const made = await ordersOf(db, userId);
  expect(made).toHaveLength(1);
  const [order] = made;
  if (!order) throw new Error("There is no order.");
  expect(await db.select().from(invoices).where(eq(invoices.orderId, order.id))).toHaveLength(1);
  await expect(page).toHaveURL(`/order/${order.id}/confirmation`);
  return order;
}

const radio = (page: Page, group: string, text: string): Locator =>
  page.getByRole("group", { name: group }).getByRole("radio", { name: text });

test.describe("the addresses", () => {
  test("have to be chosen where nothing tells which of several is meant", async ({
    page,
    database: db,
  }) => {
    const user = await createUser({ db });
    const { id: productId } = await createProduct({ db });
    await createCart({ db, userId: user.id, items: [{ productId }] });
    for (const street of ["1 rue Une", "2 rue Deux"])
      for (const type of ["shipping", "billing"] as const)
        await createAddress({ db, userId: user.id, street, type });
    await openSession(page, user);
    await openCheckout(page);
    await expect(page.getByText("Choisissez une adresse de livraison.")).toBeVisible();
    await expect(continueButton(page)).toBeDisabled();
    await expectAccessible(page);
    await radio(page, "Adresse de livraison", "2 rue Deux").check();
    await expect(page.getByText("Choisissez une adresse de facturation.")).toBeVisible();
    await expect(continueButton(page)).toBeDisabled();
    await radio(page, "Adresse de facturation", "1 rue Une").check();
    await expect(continueButton(page)).toBeEnabled();
  });

  test("that cannot be loaded, or were deleted meanwhile, show an error, and can be chosen again", async ({
    page,
    database: db,
    problems,
  }) => {
    problems.allow(422, 500);
    const { user } = await customerWithCart({ page, db });
    const quay = await createAddress({ db, userId: user.id, street: "3 quai des Brumes" });
    await page.route("**/api/addresses_front", (route) => route.fulfill({ status: 500 }));
    await openCheckout(page);
    await expect(
      page.getByText("Impossible de charger les adresses.", { exact: true }),
    ).toBeVisible();
    await page.unroute("**/api/addresses_front");
    await page.getByRole("button", { name: "Réessayer" }).click();
    await radio(page, "Adresse de livraison", "3 quai des Brumes").check();
    await db.delete(addresses).where(eq(addresses.id, quay.id));
    await continueButton(page).click();
    await expect(alertOf(page)).toHaveText("Cette adresse n'est pas dans votre carnet d'adresses.");
    await expect(page.getByText("3 quai des Brumes")).toHaveCount(0);
    await expect(radio(page, "Adresse de livraison", "12 rue des Lilas")).toBeChecked();
    await expect(page.getByRole("main").getByRole("link", { name: "Voir le panier" })).toHaveCount(
      0,
    );
    await continueButton(page).click();
    await expect(page.getByLabel("Numéro de carte")).toBeVisible();
  });
});

test.describe("access to the checkout", () => {
  test("starts only from a cart with products, and not by a typed URL", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWithCart({ page, db });
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
      await fetch("/api/cart", {
        method: "DELETE",
        headers: { Authorization: `Bearer ${localStorage.getItem("token")}` },
      });
    });
    await page.reload();
    await expect(page).toHaveURL("/cart");
    expect(await ordersOf(db, user.id)).toEqual([]);
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

  test("an empty cart does not redirect a visitor who has gone on meanwhile", async ({
    page,
    database: db,
  }) => {
    await customerWithCart({ page, db });
    await openCheckout(page);
    const { promise: mayAnswer, resolve: answer } = deferred();
    await page.route("**/api/cart", async (route) => {
      await mayAnswer;
      await route.fulfill({ json: { id: 1, items: [], total: 0 } });
    });
    await page.reload();
    await page.getByRole("link", { name: "Gérer mes adresses" }).click();
    await expect(page).toHaveURL("/addresses?retour=/checkout");
    await releaseAndSettle({ page, url: "**/api/cart", release: answer });
    await expect(page).toHaveURL("/addresses?retour=/checkout");
  });
});

test.describe("paying", () => {
  test("a purchase of files says that they cannot be sent back, and ends with files and invoice", async ({
    page,
    database: db,
    mailbox,
  }) => {
    const { user, lamp } = await customerWithCart({ page, db, type: "digital" });
    await db
      .update(products)
      .set({ downloadLink: "/downloads/lampe.pdf" })
      .where(eq(products.id, lamp.id));
    await openCard(page);
    await expect(page.getByText(WAIVER)).toBeVisible();
    const terms = page.getByRole("main").getByRole("term");
    await expect(terms.filter({ hasText: "Facturation" })).toBeVisible();
    await expect(terms.filter({ hasText: "Livraison" })).toHaveCount(0);
    await page.getByText("Autres cartes de test").click();
    await page.getByRole("button", { name: /^Remplir avec 4000 0025 0000 3155/ }).click();
    await expect(page.getByLabel("Numéro de carte")).toHaveValue("4000 0025 0000 3155");
    await page.getByRole("button", { name: "Remplir avec 4242 4242 4242 4242" }).click();
    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    await expect(page.getByText("Adresse de facturation")).toBeVisible();
    await expect(page.getByText("Adresse de livraison")).toHaveCount(0);
    const files = page.getByRole("region", { name: "Vos fichiers" });
    await expect(files.getByRole("link", { name: "Télécharger Lampe Aube" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Récapitulatif" })).toContainText(
      /Total.*42,90\s€/,
    );
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
    await expect(
      page.getByRole("dialog").getByRole("heading", { name: `Commande ${order.number}` }),
    ).toBeVisible();
  });

  test("a purchase from the cart to the confirmation, and to the orders", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWithCart({ page, db });
    await openCard(page);
    await expect(page.getByText("aucun argent n’est débité")).toBeVisible();
    await expect(
      page.getByRole("button", { name: "Remplir avec 4242 4242 4242 4242" }),
    ).toBeVisible();
    await expect(payButton(page)).toBeDisabled();
    expect(plainSpaces((await payButton(page).textContent()) ?? "")).toBe(
      "Payer 42,90 € – commande avec obligation de paiement",
    );
    await expectAccessible(page);
    // The texts that the law requires before the button, and a way to read them that loses no input.
    await expect(page.getByText(WAIVER)).toBeHidden();
    const [terms] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: "conditions générales de vente" }).click(),
    ]);
    await expect(terms.getByRole("heading", { name: "5. Droit de rétractation" })).toBeVisible();
    await terms.close();
    await fillCard(page);
    await expect(page.getByLabel("Numéro de carte")).toHaveValue("4242 4242 4242 4242");
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
    expect(events).toContainEqual(["trackEvent", "Panier", "Panier payé", undefined, 42.9]);
    expect(events).toContainEqual([
      "trackEvent",
      "Commandes",
      "Commande finalisée",
      undefined,
      undefined,
    ]);

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

  test("the card's fields show an error when they are left, and keep the cursor", async ({
    page,
    database: db,
  }) => {
    await customerWithCart({ page, db });
    await openCard(page);
    // Content of the initial page is not announced.
    await expect(page.getByText("aucun argent n’est débité")).toBeVisible();
    await expect(page.getByRole("main").getByRole("status")).toHaveCount(0);
    const number = page.getByLabel("Numéro de carte");
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

  test("a declined card shows an error, and another one pays", async ({
    page,
    database: db,
    cards,
    problems,
  }) => {
    problems.allow(402);
    const { user } = await customerWithCart({ page, db });
    await openCard(page);
    for (const [number, sentence] of [
      [DECLINED, "Votre carte a été refusée."],
      [NO_FUNDS, "Votre carte ne dispose pas de fonds suffisants."],
    ] as const) {
      await fillCard(page, number);
      await payButton(page).click();
      await expect(alertOf(page).getByText(sentence, { exact: true })).toBeInViewport();
      await expect(payButton(page)).toBeEnabled();
      // Another number comes next.
      await expect(page.getByLabel("Numéro de carte")).toBeFocused();
    }
    expect(await ordersOf(db, user.id)).toEqual([]);
    // After 'Retour' the next payment does not show the errors of the last.
    await page.getByRole("button", { name: "Retour", exact: true }).click();
    await continueButton(page).click();
    await expect(payButton(page)).toBeVisible();
    await expect(alertOf(page)).toHaveCount(0);
    await fillCard(page);
    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    const { payments } = await cards.books();
    expect(payments.filter(({ id }) => id === order.paymentIntentId)).toMatchObject([
      { amount: 4290, status: "succeeded" },
    ]);
  });

  test("the bank's dialog charges nothing on 'Refuser', and pays on 'Autoriser'", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWithCart({ page, db });
    await openCard(page);
    await fillCard(page, AUTHENTICATION);
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

  test("'Retour' and the browser's Back keep everything", async ({ page, database: db }) => {
    const { user } = await customerWithCart({ page, db });
    await createAddress({ db, userId: user.id, street: "3 quai des Brumes", city: "Nantes" });
    await openCheckout(page);
    await expect(page).toHaveTitle("Commande - Mini Ecommerce");
    await expect(radio(page, "Adresse de livraison", "12 rue des Lilas")).toBeChecked();
    await continueButton(page).click();
    await fillCard(page);
    const card = page.getByLabel("Numéro de carte");
    await page.goBack();
    await expect(card).toBeHidden();
    await page.goForward();
    await expect(card).toHaveValue("4242 4242 4242 4242");
    await page.getByRole("button", { name: "Retour", exact: true }).click();
    await expect(card).toBeHidden();
    await expect(page).toHaveURL("/checkout");
    await expect(radio(page, "Adresse de facturation", "1 place Bellecour")).toBeChecked();
    await radio(page, "Adresse de livraison", "3 quai des Brumes").check();
    await continueButton(page).click();
    await expect(card).toHaveValue("4242 4242 4242 4242");
    await expect(page.getByLabel("CVC")).toHaveValue("123");
    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    expect(order.shippingStreet).toBe("3 quai des Brumes");
  });

  test("two clicks are one payment", async ({ page, database: db, cards }) => {
    const { user } = await readyToPay({ page, db });
    await expect(payButton(page)).toBeEnabled();
    await payButton(page).evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
      button.form?.requestSubmit();
    });
    const order = await expectOrdered({ page, db, userId: user.id });
    const { payments } = await cards.books();
    expect(payments.filter(({ id }) => id === order.paymentIntentId)).toHaveLength(1);

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
  });

  test("works by keyboard alone", async ({ page, database: db }) => {
    const { user } = await customerWithCart({ page, db });
    await openCheckout(page);
    await expect(continueButton(page)).toBeEnabled();
    await continueButton(page).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Paiement par carte" })).toBeFocused();
    await expect(page.getByLabel("Numéro de carte")).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(page.getByLabel("Numéro de carte")).toBeFocused();
    await page.keyboard.type(VISA);
    await page.keyboard.press("Tab");
    await page.keyboard.type("1234");
    await page.keyboard.press("Tab");
    await page.keyboard.type("123");
    await expect(payButton(page)).toBeEnabled();
    await page.keyboard.press("Enter");
    await expectOrdered({ page, db, userId: user.id });
  });
});

test.describe("failures", () => {
  test("the connection breaks after the charge: the retry charges nothing more", async ({
    page,
    database: db,
    cards,
    problems,
  }) => {
    problems.allow(/ERR_/);
    const { user } = await readyToPay({ page, db });
    await cards.fault({ call: "payment_intents.confirm", effect: "drop", when: "after", times: 2 });
    await payButton(page).click();
    await expect(alertOf(page)).toContainText("La connexion au service de paiement");
    await cards.clearFaults();
    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    const { payments } = await cards.books();
    expect(payments.filter(({ id }) => id === order.paymentIntentId)).toMatchObject([
      { amount: 4290, status: "succeeded" },
    ]);
  });

  test("the order cannot be confirmed at first: the retry goes on where it stopped", async ({
    page,
    database: db,
    problems,
  }) => {
    problems.allow(500);
    const { user } = await readyToPay({ page, db });
    let confirmations = 0;
    page.on("request", (request) => {
      if (request.url().includes("/confirm") && request.url().includes("/v1/")) confirmations++;
    });
    await page.route("**/api/cart/confirm-order", (route) => route.fulfill({ status: 500 }));
    await payButton(page).click();
    await expect(
      alertOf(page).getByText("Erreur lors du paiement ou de la commande.", { exact: true }),
    ).toBeVisible();
    await expect(page.getByText("Votre paiement a été accepté")).toBeVisible();
    await page.unroute("**/api/cart/confirm-order");
    await payButton(page).click();
    await expectOrdered({ page, db, userId: user.id });
    expect(confirmations).toBe(1);
  });

  test("a 402 shows the shop's message, and is not taken for a payment", async ({
    page,
    database: db,
    problems,
  }) => {
    problems.allow(402);
    await readyToPay({ page, db });
    const sentence = "Le paiement n'a pas pu être confirmé. Veuillez réessayer.";
    await page.route("**/v1/payment_intents/*/confirm", (route) =>
      route.fulfill({ json: { id: "pi_1", status: "processing" } }),
    );
    await payButton(page).click();
    await expect(alertOf(page).getByText(sentence, { exact: true })).toBeVisible();
    await page.unroute("**/v1/payment_intents/*/confirm");
    await page.route("**/api/cart/confirm-order", (route) =>
      route.fulfill({ status: 402, json: { error: "Le paiement n'a pas abouti." } }),
    );
    await payButton(page).click();
    await expect(
      alertOf(page).getByText("Le paiement n'a pas abouti.", { exact: true }),
    ).toBeVisible();
    await expect(page).toHaveURL("/checkout");
  });

  test("the tab is closed after paying: the order is in the list all the same", async ({
    page,
    database: db,
  }) => {
    const { user } = await readyToPay({ page, db });
    // The browser's request for the order never arrives.
    await page.route("**/api/cart/confirm-order", () => undefined);
    await payButton(page).click();
    await expect.poll(async () => (await ordersOf(db, user.id)).length).toBe(1);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.goto("/orders");
    await expect(page.getByRole("rowheader", { name: /^CMD-/ })).toHaveCount(1);
    await page.goto("/checkout");
    await expect(page).toHaveURL("/cart");
    await expect(page.getByText("Votre panier est vide.").first()).toBeVisible();
  });

  test("a price that changes before the payment step is not charged", async ({
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
    await arrange((tx) =>
      tx.update(products).set({ priceCents: 9990 }).where(eq(products.id, lamp.id)),
    );
    await continueButton(page).click();
    await expect(alertOf(page)).toContainText("Vérifiez");
    await expect(page.getByLabel("Numéro de carte")).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Récapitulatif" })).toContainText(
      "Le prix a changé depuis votre ajout",
    );
    await page.getByRole("main").getByRole("link", { name: "Voir le panier" }).click();
    await expect(page).toHaveURL("/cart");
    await expect(page.getByText("Le prix a changé depuis votre ajout")).toBeVisible();
    expect(await ordersOf(db, user.id)).toEqual([]);
  });

  test("a price that changes in the payment step changes nothing for this payment", async ({
    page,
    arrange,
    database: db,
    problems,
  }) => {
    // The page requests the payment again, with its addresses.
    problems.allow(409);
    const { user, lamp } = await customerWithCart({ page, db });
    await openCard(page);
    await arrange((tx) =>
      tx.update(products).set({ priceCents: 9990 }).where(eq(products.id, lamp.id)),
    );
    await fillCard(page);
    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    expect(order.totalCents).toBe(4290);
  });

  test("two tabs pay one cart once", async ({ page, context, database: db, cards, problems }) => {
    // The second tab tries to pay a payment that is paid.
    problems.allow(400);
    problems.allow(422);
    const { user } = await readyToPay({ page, db });
    const other = await context.newPage();
    await openCard(other);
    await fillCard(other);
    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    await payButton(other).click();
    await expectOrdered({ page: other, db, userId: user.id });
    const { payments } = await cards.books();
    expect(
      payments.filter(({ id, status }) => id === order.paymentIntentId && status === "succeeded"),
    ).toHaveLength(1);
  });

  test("each of two tabs pays for the addresses that it shows", async ({
    page,
    context,
    database: db,
  }) => {
    const { user } = await customerWithCart({ page, db });
    const elsewhere = { street: "77 rue d'à côté", city: "Lille", postalCode: "59000" };
    await createAddress({ db, userId: user.id, ...elsewhere });
    await openCard(page);
    await fillCard(page);
    const other = await context.newPage();
    await openCheckout(other);
    await radio(other, "Adresse de livraison", "77 rue d'à côté").check();
    await continueButton(other).click();
    await expect(other.getByLabel("Numéro de carte")).toBeVisible();

    await payButton(page).click();
    const order = await expectOrdered({ page, db, userId: user.id });
    expect(order.shippingCity).not.toBe("Lille");
  });

  test("a payment that ended with another cart leads back to the cart", async ({
    page,
    context,
    api,
    database: db,
    problems,
  }) => {
    problems.allow(400);
    problems.allow(409);
    const { user } = await readyToPay({ page, db });
    const { id: productId } = await createProduct({ db, priceCents: 1000 });
    const token = await issueToken({ user, type: "access" });
    await api.post("/api/cart/add", { token, json: { productId } });
    const other = await context.newPage();
    await openCard(other);
    await expect(payButton(other)).toContainText(/52,90\s€/);

    await payButton(page).click();
    await expect(alertOf(page)).toContainText("Votre panier a changé entre-temps.");
    await page.getByRole("main").getByRole("link", { name: "Voir le panier" }).click();
    await expect(page).toHaveURL("/cart");
    await fillCard(other);
    await payButton(other).click();
    const order = await expectOrdered({ page: other, db, userId: user.id });
    expect(order.totalCents).toBe(5290);
  });

  test("a refunded payment is not shown as an order", async ({ page, database: db, problems }) => {
    problems.allow(409);
    await readyToPay({ page, db });
    const error =
      "Le montant payé ne correspond pas à une commande en cours\u00a0: il vous est remboursé.";
    await page.route("**/api/cart/confirm-order", (route) =>
      route.fulfill({ status: 409, json: { error } }),
    );
    await payButton(page).click();
    await expect(alertOf(page).getByText(error, { exact: true })).toBeVisible();
    await expect(page.getByText("Votre paiement a été accepté")).toHaveCount(0);
    await expect(
      page.getByRole("main").getByRole("link", { name: "Voir le panier" }),
    ).toBeVisible();
  });

  test("an outage of the payment service shows an error, and the payment can be retried", async ({
    page,
    database: db,
    problems,
  }) => {
    problems.allow(500, 503);
    await customerWithCart({ page, db });
    await openCheckout(page);
    await page.route("**/api/cart/payment-intent", (route) => route.fulfill({ status: 503 }));
    await continueButton(page).click();
    await expect(alertOf(page)).toContainText("Erreur lors du paiement ou de la commande.");
    // A malformed response enables the button again too.
    problems.allow(/TypeError/);
    await page.unroute("**/api/cart/payment-intent");
    await page.route("**/api/cart/payment-intent", (route) => route.fulfill({ body: "null" }));
    const answered = page.waitForResponse("**/api/cart/payment-intent");
    await continueButton(page).click();
    await answered;
    await expect(continueButton(page)).toBeEnabled();
    await page.unroute("**/api/cart/payment-intent");
    await page.route("**/api/checkout/configuration", (route) => route.fulfill({ status: 500 }));
    await continueButton(page).click();
    await expect(page.getByText("Le service de paiement n'a pas pu être chargé.")).toBeVisible();
    await page.unroute("**/api/checkout/configuration");
    await page.getByRole("button", { name: "Réessayer" }).click();
    await expect(page.getByLabel("Numéro de carte")).toBeVisible();
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

test.describe("the confirmation", () => {
  test("shows the shop's error message, or its own", async ({ page, database: db, problems }) => {
    problems.allow(404, 500);
    await openSession(page, await createUser({ db }));
    await page.goto("/orders");
    await page.evaluate(() => sessionStorage.setItem("lastOrderId", "2147483647"));
    await page.goto("/order/2147483647/confirmation");
    await expect(alertOf(page).getByText("Cette commande n'existe pas.")).toBeVisible();
    await page.route("**/api/orders/*", (route) => route.fulfill({ status: 500 }));
    await page.getByRole("button", { name: "Réessayer" }).click();
    await expect(
      alertOf(page).getByText("Erreur lors du chargement de la commande.", { exact: true }),
    ).toBeVisible();
    await expect(
      page.getByRole("main").getByRole("link", { name: "Voir mes commandes" }),
    ).toHaveAttribute("href", "/orders");
  });
});

test("the payment step fits narrow and wide windows, with a footer of one line", async ({
  page,
  database: db,
}) => {
  const footer = page.getByRole("contentinfo");
  // On other pages the footer has more links, which are folded on a phone.
  await page.goto("/contact");
  await expect(footer.getByRole("link", { name: "Conditions de vente" })).toBeVisible();
  expect((await footer.boundingBox())?.height).toBeGreaterThan(120);
  await page.goto("/login");
  await expect(footer.getByRole("link", { name: "Conditions de vente" })).toBeVisible();
  await expect(footer.getByText("Tout le catalogue")).toHaveCount(0);
  await customerWithCart({ page, db });
  await openCard(page);
  for (const [width, most] of [
    [WIDTHS.desktop, 60],
    [WIDTHS.phone, 120],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    expect((await footer.boundingBox())?.height).toBeLessThanOrEqual(most);
    await expectNoSidewaysScroll(page);
  }
});
