import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart, createShippingMethod } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { expectAccessible } from "../axe";
import { openSession } from "../browser-session";
import { ordersOf } from "../buying";
import {
  alertOf,
  continueButton,
  fillCard,
  methods,
  openCheckout,
  payButton,
  summary,
} from "../checkout-page";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { expectNoSidewaysScroll, plainSpaces, WIDTHS } from "../storefront";

// What the checkout does with addresses that are typed in it. How many taps and fields it takes is in
// buying-journeys.spec.ts.

test.afterEach(({ database }) => database.delete(shippingMethods));

type Address = Partial<typeof addresses.$inferInsert>;

/** A logged-in customer with these addresses, and lamps in the cart. */
async function customerWith(
  page: Page,
  { db, own = [], lines = 1 }: { db: Database; own?: readonly Address[]; lines?: number },
) {
  const user = await createUser({ db });
  for (const address of own) await createAddress({ db, userId: user.id, ...address });
  const items: { productId: number }[] = [];
  for (let line = 1; line <= lines; line++) {
    const { id } = await createProduct({ db, name: `Lampe ${line}`, priceCents: 4290 });
    items.push({ productId: id });
  }
  await createCart({ db, userId: user.id, items });
  await openSession(page, user);
  return user;
}

const ownAddresses = (db: Database, userId: number) =>
  db.select().from(addresses).where(eq(addresses.userId, userId)).orderBy(addresses.id);

const group = (page: Page, name: string) => page.getByRole("group", { name });
const shippingOf = (page: Page) => group(page, "Adresse de livraison");
const cardNumber = (page: Page) => page.getByLabel("Numéro de carte");

/** The line of step 2 with an address. */
const recapOf = (page: Page, text: string) =>
  page.getByRole("definition").filter({ hasText: text });

async function fillAddress(
  page: Page,
  {
    title = "Adresse de livraison",
    street = "4 quai de la Fosse",
    postalCode = "44000",
    city = "Nantes",
  } = {},
) {
  const form = group(page, title);
  await form.getByLabel("Rue").fill(street);
  await form.getByLabel("Code postal").fill(postalCode);
  await form.getByLabel("Ville").fill(city);
}

test("a first order saves its address with all further lines; its action is in sight on a phone", async ({
  page,
  database: db,
}) => {
  const user = await customerWith(page, { db });
  await createShippingMethod({ db, name: "Colis" });
  await openCheckout(page);
  await expectFits(page);
  await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
  await expect(page.getByLabel("Facturer à la même adresse")).toBeChecked();
  await expect(continueButton(page)).toBeDisabled();
  await expect(continueButton(page)).toBeInViewport();
  await fillAddress(page);
  await page.getByLabel("Complément d’adresse").fill("Bâtiment B");
  const phone = page.getByLabel("Téléphone");
  await phone.fill("06 12");
  await phone.blur();
  await expect(page.getByText(/^Le numéro de téléphone doit avoir/)).toBeVisible();
  await expect(continueButton(page)).toBeDisabled();
  await phone.fill("06 12 34 56 78");
  await expect(continueButton(page)).toBeEnabled();
  await page.getByText("Autre destinataire, ou société").click();
  await page.getByLabel("Destinataire").fill("Jeanne Roux");
  await page.getByLabel("Société").fill("Atelier Roux");
  await expect(continueButton(page)).toBeInViewport();
  // Enter is enough.
  await page.getByLabel("Société").press("Enter");
  await expect(cardNumber(page)).toBeVisible();
  await expect(recapOf(page, "Bâtiment B")).toContainText("Jeanne Roux");
  await expect(page.getByText("Même adresse")).toBeVisible();
  await fillCard(page);
  await expect(payButton(page)).toBeInViewport();
  await payButton(page).click();
  await expect(page.getByRole("heading", { name: "Merci pour votre commande" })).toBeVisible();
  await expect(page.getByText("Jeanne Roux").first()).toBeVisible();
  // checkout.spec.ts of the API shows what the order keeps of each line.
  expect(await ordersOf(db, user.id)).toMatchObject([
    {
      shippingStreet: "4 quai de la Fosse",
      shippingPhone: "06 12 34 56 78",
      billingStreet: "4 quai de la Fosse",
      billingCompany: "Atelier Roux",
      shippingDelay: "2 à 3 jours ouvrés",
    },
  ]);
  expect(await ownAddresses(db, user.id)).toMatchObject([
    { type: "shipping", isDefault: true, city: "Nantes", postalCode: "44000" },
  ]);
});

test("another billing address is saved as such; refused, it keeps what was typed and saved", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(422);
  const user = await customerWith(page, { db });
  await openCheckout(page);
  await fillAddress(page);
  await page.getByLabel("Facturer à la même adresse").uncheck();
  await expect(continueButton(page)).toBeDisabled();
  await fillAddress(page, { title: "Adresse de facturation", street: "1 place Bellecour" });
  await expectAccessible(page);
  // The shop refuses the second address, once.
  const error = "Cette rue n'existe pas.";
  let posts = 0;
  await page.route("**/api/addresses_front", async (route) => {
    if (route.request().method() !== "POST" || ++posts !== 2) return route.continue();
    const violations = [{ propertyPath: "street", message: error }];
    await route.fulfill({ status: 422, json: { error, errors: { street: error }, violations } });
  });
  await continueButton(page).click();
  const billing = group(page, "Adresse de facturation");
  await expect(billing.getByText(error)).toBeVisible();
  await expect(billing.getByLabel("Rue")).toBeFocused();
  await expect(shippingOf(page).getByLabel("Ville")).toHaveValue("Nantes");
  expect(await ownAddresses(db, user.id)).toHaveLength(1);
  await billing.getByLabel("Rue").fill("2 place Bellecour");
  await continueButton(page).click();
  await expect(cardNumber(page)).toBeVisible();
  expect(await ownAddresses(db, user.id)).toMatchObject([
    { type: "shipping", street: "4 quai de la Fosse", isDefault: true },
    { type: "billing", street: "2 place Bellecour", isDefaultBilling: true },
  ]);
  await page.getByRole("button", { name: "Retour", exact: true }).click();
  await expect(billing.getByRole("radio", { name: "2 place Bellecour" })).toBeChecked();
});

test("two clicks, and a lost answer, are one address", async ({ page, database: db, problems }) => {
  problems.allow(/ERR_/);
  const user = await customerWith(page, { db });
  await openCheckout(page);
  await fillAddress(page);
  await page.route(
    "**/api/addresses_front",
    async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await continueButton(page).click();
  await expect(alertOf(page)).toHaveText("Erreur lors de l'enregistrement de l'adresse.");
  await page.unrouteAll({ behavior: "wait" });
  await continueButton(page).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(cardNumber(page)).toBeVisible();
  expect(await ownAddresses(db, user.id)).toHaveLength(1);
});

test("the only address is chosen for both, and changed in the page; the summary unfolds", async ({
  page,
  database: db,
}) => {
  const user = await customerWith(page, { db, own: [{}], lines: 8 });
  await openCheckout(page);

  await test.step("the summary shows six lines, and on a phone unfolds above the step", async () => {
    const lines = summary(page).getByRole("listitem");
    await expect(lines).toHaveCount(6);
    await summary(page).getByRole("button", { name: "+ 2 articles" }).click();
    await expect(lines).toHaveCount(8);
    await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
    await expect(lines).toHaveCount(0);
    const bar = summary(page).getByRole("button", { name: /Votre commande/ });
    await expect(bar).toHaveAttribute("aria-expanded", "false");
    await expect(bar).toContainText("8 articles");
    await bar.click();
    await expect(lines).toHaveCount(8);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: WIDTHS.desktop, height: 900 });
  });

  await test.step("'Gérer mes adresses' has a way back", async () => {
    const back = page.getByRole("link", { name: "Revenir à ma commande" });
    await page.getByRole("link", { name: "Gérer mes adresses" }).click();
    await back.click();
    await expect(page).toHaveURL("/checkout");
    await page.goto("/addresses");
    await expect(page.getByRole("button", { name: "Ajouter une adresse" })).toBeEnabled();
    await expect(back).toHaveCount(0);
    await openCheckout(page);
  });

  for (const name of ["Adresse de livraison", "Adresse de facturation"])
    await expect(group(page, name).getByRole("radio", { name: "12 rue des Lilas" })).toBeChecked();
  const shipping = shippingOf(page);
  const street = shipping.getByLabel("Rue");
  const change = shipping.getByRole("button", { name: "Modifier" });
  await change.click();
  await expect(street).toBeFocused();
  await expect(street).toHaveValue("12 rue des Lilas");
  await shipping.getByRole("button", { name: "Annuler" }).click();
  await expect(shipping.getByRole("radio", { name: "12 rue des Lilas" })).toBeChecked();
  await change.click();
  await street.fill("14 rue des Lilas");
  await expect(page.getByText("La même que l’adresse de livraison.")).toBeVisible();
  await expectAccessible(page);
  await continueButton(page).click();
  await expect(recapOf(page, "14 rue des Lilas")).toBeVisible();
  expect(await ownAddresses(db, user.id)).toMatchObject([{ street: "14 rue des Lilas" }]);
});

test("a new address is typed in the page; of more than four, the chosen one is shown", async ({
  page,
  database: db,
}) => {
  const own = [1, 2, 3, 4, 5].map((number) => ({
    street: `${number} rue Haute`,
    isDefault: number === 5,
  }));
  const user = await customerWith(page, {
    db,
    own: [...own, { street: "9 rue Basse", type: "billing", isDefaultBilling: true }],
  });
  await openCheckout(page);
  const shipping = shippingOf(page);
  await expect(shipping.getByRole("radio")).toHaveCount(1);
  await expect(shipping.getByRole("radio", { name: "5 rue Haute" })).toBeChecked();
  await shipping.getByRole("button", { name: "Changer" }).click();
  await expect(shipping.getByRole("radio")).toHaveCount(5);
  await expect(shipping.getByRole("radio", { name: "5 rue Haute" })).toBeFocused();
  await expectFits(page);
  await shipping.getByRole("button", { name: "Nouvelle adresse" }).click();
  await fillAddress(page);
  await continueButton(page).click();
  await expect(recapOf(page, "4 quai de la Fosse")).toBeVisible();
  await expect(recapOf(page, "9 rue Basse")).toBeVisible();
  expect(await ownAddresses(db, user.id)).toHaveLength(7);
  await page.getByRole("button", { name: "Modifier la livraison" }).click();
  await expect(shipping.getByRole("radio", { name: "4 quai de la Fosse" })).toBeChecked();
});

test("a typed postal code decides which methods are offered, with their days", async ({
  page,
  database: db,
}) => {
  await createShippingMethod({ db, name: "Colis", priceCents: 590 });
  await createShippingMethod({ db, name: "Colis en Corse", delay: "Bientôt", zones: ["corsica"] });
  await page.clock.setFixedTime(new Date("2026-11-30T11:00:00Z"));
  await customerWith(page, { db });
  await openCheckout(page);
  await expect(methods(page).getByRole("radio")).toHaveCount(2);
  await fillAddress(page);
  await expect(methods(page).getByRole("radio")).toHaveCount(1);
  expect(plainSpaces((await methods(page).locator("label").textContent()) ?? "")).toBe(
    "ColisArrive entre le mer. 2 et le jeu. 3 décembre · 2 à 3 jours ouvrés5,90 €",
  );
  await fillAddress(page, { postalCode: "20000", city: "Ajaccio" });
  await expect(methods(page).getByText("Bientôt")).toBeVisible();
  await fillAddress(page, { postalCode: "98800", city: "Nouméa" });
  await expect(page.getByText(/^Nous ne livrons pas au code postal 98800/)).toBeVisible();
  await expect(continueButton(page)).toBeDisabled();
});
