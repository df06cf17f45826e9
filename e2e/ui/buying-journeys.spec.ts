import type { Locator, Page } from "@playwright/test";
import { createProduct } from "@/db/factories/catalogue";
import { createAddress, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { newEmail, tokenInMail } from "../accounts";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { hydrated } from "../hydration";
import { trackedBy, WIDTHS } from "../storefront";

// How many taps and filled fields a purchase takes, from the product's page on. Each tap and each field goes
// through a `Journey`, which counts it; the shop's own redirects are not waited for where they can be skipped.

/** The most that a journey from the product's page to the cart may take, and to the paid order. */
const NEW_CUSTOMER = { toCart: { taps: 6, fields: 6 }, toOrder: { taps: 10, fields: 9 } };
const RETURNING = { toCart: { taps: 3, fields: 2 }, toOrder: { taps: 5, fields: 5 } };
const LOGGED_IN = { taps: 3, fields: 3 };

interface Effort {
  taps: number;
  fields: number;
}

class Journey {
  readonly effort: Effort = { taps: 0, fields: 0 };

  constructor(private readonly hasTouch: boolean) {}

  async tap(control: Locator): Promise<void> {
    this.effort.taps += 1;
    await (this.hasTouch ? control.tap() : control.click());
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.effort.fields += 1;
    await field.fill(text);
  }

  /** Opens the link of a mail, which is a tap in the mail program. */
  async openLink(page: Page, url: string): Promise<void> {
    this.effort.taps += 1;
    await page.goto(url);
  }

  expectAtMost({ taps, fields }: Effort): void {
    expect(this.effort.taps, "taps").toBeLessThanOrEqual(taps);
    expect(this.effort.fields, "fields").toBeLessThanOrEqual(fields);
  }
}

const LAMP = { name: "Lampe Aube", priceCents: 4290 };

const main = (page: Page) => page.getByRole("main");
const addButton = (page: Page) => main(page).getByRole("button", { name: "Ajouter au panier" });
const cardHeading = (page: Page) => page.getByRole("heading", { name: "Paiement par carte" });
const stored = (page: Page, key: string) =>
  page.evaluate((wanted) => localStorage.getItem(wanted), key);

async function expectLampInCart(page: Page): Promise<void> {
  await expect(page).toHaveURL("/cart");
  await hydrated(page);
  await expect(main(page).getByLabel("Quantité de Lampe Aube")).toHaveValue("1");
  await expect(page.getByRole("button", { name: "Passer la commande" })).toBeEnabled();
}

/** From the cart to the paid order. The demonstration's card is filled in by one tap, instead of three fields. */
async function orderTo(page: Page, { journey, street }: { journey: Journey; street: string }) {
  await journey.tap(page.getByRole("button", { name: "Passer la commande" }));
  await expect(page).toHaveURL("/checkout");
  await hydrated(page);
  await journey.fill(page.getByLabel("Rue"), street);
  await journey.fill(page.getByLabel("Code postal"), "44000");
  await journey.fill(page.getByLabel("Ville"), "Nantes");
  await journey.tap(page.getByRole("button", { name: "Continuer" }));
  await journey.tap(page.getByRole("button", { name: "Remplir avec 4242 4242 4242 4242" }));
  await pay(page, journey);
}

/** From the cart or the addition's panel to the paid order, at the customer's usual address. */
async function orderAsUsual(page: Page, journey: Journey) {
  await journey.tap(main(page).getByRole("button", { name: "Aller au paiement" }));
  await expect(cardHeading(page)).toBeFocused();
  await expect(page).toHaveURL("/checkout");
  await journey.fill(page.getByLabel("Numéro de carte"), "4242 4242 4242 4242");
  await journey.fill(page.getByLabel("Date d'expiration"), "12 / 34");
  await journey.fill(page.getByLabel("CVC"), "123");
  await pay(page, journey);
}

async function pay(page: Page, journey: Journey) {
  await journey.tap(page.getByRole("button", { name: /^Payer / }));
  await expect(page.getByRole("heading", { name: "Merci pour votre commande" })).toBeVisible();
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: WIDTHS.phone, height: 740 }, hasTouch: true });

  test("a new customer gets from the product to the paid order, with an account", async ({
    page,
    mailbox,
    database: db,
  }) => {
    const { id } = await createProduct({ db, ...LAMP });
    const email = newEmail("nouveau");
    const journey = new Journey(true);
    await page.goto(`/product/${id}`);
    await journey.tap(addButton(page));
    await journey.tap(main(page).getByRole("link", { name: "Créer un compte" }));
    await expect(page).toHaveURL("/register");
    await hydrated(page);
    await journey.fill(page.getByLabel("Nom", { exact: true }), "Dupré");
    await journey.fill(page.getByLabel("Prénom"), "Camille");
    await journey.fill(page.getByLabel("Email"), email);
    await journey.fill(page.getByLabel("Mot de passe", { exact: true }), DEFAULT_PASSWORD);
    await journey.fill(page.getByLabel("Confirmer le mot de passe"), DEFAULT_PASSWORD);
    await journey.tap(page.getByRole("button", { name: "S'inscrire" }));
    await expect(main(page).getByText(/^Inscription réussie/)).toBeVisible();

    const mail = await mailbox.waitForMail({ to: email });
    const token = tokenInMail({ mail, page: "account-verification" });
    // The mail program opens another tab of the same browser.
    const tab = await page.context().newPage();
    await journey.openLink(tab, `/account-verification/${token}?retour=/product/${id}`);
    await journey.tap(main(tab).getByRole("link", { name: "Continuer" }));
    await expect(tab).toHaveURL("/login");
    await hydrated(tab);
    await expect(tab.getByLabel("Email")).toHaveValue(email);
    await journey.fill(tab.getByLabel("Mot de passe"), DEFAULT_PASSWORD);
    await journey.tap(tab.getByRole("button", { name: "Se connecter" }));
    await expectLampInCart(tab);
    expect(await stored(tab, "lastEmail")).toBeNull();
    journey.expectAtMost(NEW_CUSTOMER.toCart);
    await orderTo(tab, { journey, street: "4 quai de la Fosse" });
    journey.expectAtMost(NEW_CUSTOMER.toOrder);
  });

  test("a customer who is logged in gets to the paid order without the cart", async ({
    page,
    database: db,
  }) => {
    const user = await createUser({ db });
    await createAddress({ db, userId: user.id });
    await openSession(page, user);
    const { id } = await createProduct({ db, ...LAMP });
    const journey = new Journey(true);
    await page.goto(`/product/${id}`);
    await journey.tap(addButton(page));
    await orderAsUsual(page, journey);
    journey.expectAtMost(LOGGED_IN);
  });
});

test("a returning customer who is logged out gets to the cart by the login, and to the paid order", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  await createAddress({ db, userId: user.id });
  const { id } = await createProduct({ db, ...LAMP });
  const journey = new Journey(false);
  await page.goto(`/product/${id}?category=3`);
  await journey.tap(addButton(page));
  const login = main(page).getByRole("link", { name: "Se connecter" });
  await expect(login).toBeVisible();
  const remembered = JSON.parse((await stored(page, "pendingAdd")) ?? "");
  expect(remembered).toEqual({ productId: id, quantity: 1, at: expect.any(Number) });
  await journey.tap(login);
  await expect(page).toHaveURL("/login");
  await hydrated(page);
  await journey.fill(page.getByLabel("Email"), user.email);
  await journey.fill(page.getByLabel("Mot de passe"), DEFAULT_PASSWORD);
  await journey.tap(page.getByRole("button", { name: "Se connecter" }));
  await expect(page.getByText("Connexion réussie ! Redirection...")).toBeVisible();
  const added = "Produit ajouté au panier avec succès";
  await expect(page.getByText(`${added}, Redirection ....`, { exact: true })).toBeVisible();
  await expectLampInCart(page);
  await expect(page.getByText(added, { exact: true })).toBeVisible();
  expect(await stored(page, "pendingAdd")).toBeNull();
  const event = ["trackEvent", "Panier", "Ajout au panier", "Lampe Aube", 1];
  expect(await trackedBy(page)).toContainEqual(event);
  // A reload adds nothing, and does not say so again.
  await page.reload();
  await expectLampInCart(page);
  await expect(page.getByText(/^Produit ajouté/)).toHaveCount(0);
  journey.expectAtMost(RETURNING.toCart);
  await orderAsUsual(page, journey);
  journey.expectAtMost(RETURNING.toOrder);
});

test("the way to the payment stops where an address is missing, or the shop refuses", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(503);
  const user = await createUser({ db });
  await openSession(page, user);
  const { id } = await createProduct({ db, ...LAMP });
  const direct = main(page).getByRole("button", { name: "Aller au paiement" });
  const next = page.getByRole("button", { name: "Continuer", exact: true });

  await page.goto(`/product/${id}`);
  await addButton(page).click();
  await direct.click();
  await expect(page.getByLabel("Rue")).toBeVisible();
  await page.goto("/cart");
  await expectLampInCart(page);
  await expect(direct).toBeHidden();

  await createAddress({ db, userId: user.id });
  await page.reload();
  await page.route("**/api/cart/payment-intent", (route) => route.fulfill({ status: 503 }));
  await direct.click();
  await expect(main(page).getByRole("alert")).toContainText(
    "Erreur lors du paiement ou de la commande.",
  );
  await page.unroute("**/api/cart/payment-intent");
  await next.click();
  await expect(cardHeading(page)).toBeFocused();

  await page.goto("/cart");
  await direct.click();
  await expect(cardHeading(page)).toBeFocused();
  await page.goBack();
  await expect(next).toBeEnabled();
});
