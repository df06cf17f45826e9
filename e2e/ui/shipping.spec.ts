import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart, createShippingMethod } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { expectAccessible } from "../axe";
import { confirmDialogOf, dialogOf, openScreen, rowOf } from "../backoffice";
import { openSession } from "../browser-session";
import { ordersOf } from "../buying";
import {
  alertOf,
  continueButton,
  expectText,
  fillCard,
  methods,
  openCheckout,
  payButton,
  summary,
} from "../checkout-page";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { expectNoSidewaysScroll, settled } from "../storefront";

// Shipping methods count for every purchase in the database, so each test begins and ends without any.

test.beforeEach(({ database }) => database.delete(shippingMethods));
test.afterEach(({ database }) => database.delete(shippingMethods));

/** A logged-in customer with default addresses and a lamp of 42,90 € and 400 g in the cart. */
async function customerWithCart({ page, db }: { page: Page; db: Database }) {
  const user = await createUser({ db });
  await createAddress({ db, userId: user.id, isDefault: true });
  await createAddress({ db, userId: user.id, type: "billing", isDefaultBilling: true });
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290, weight: 400 });
  await createCart({ db, userId: user.id, items: [{ productId: lamp.id }] });
  await openSession(page, user);
  return user;
}

/** A letter for 2,90 € up to 500 g, and a parcel for 6,90 €, free from 85 € on. */
async function createBoth(db: Database) {
  await createShippingMethod({
    db,
    name: "Colis à domicile",
    priceCents: 690,
    freeFromCents: 8500,
  });
  await createShippingMethod({
    db,
    name: "Lettre suivie",
    delay: "3 à 4 jours ouvrés",
    bands: [{ maxGrams: 500, priceCents: 290 }],
  });
}

const isNamed = (name: string) => eq(shippingMethods.name, name);

/** Changes something after the page has read the cart, and before it requests a payment. */
const beforePayment = (page: Page, change: () => Promise<unknown>) =>
  page.route(
    "**/api/cart/payment-intent",
    async (route) => {
      await change();
      await route.continue();
    },
    { times: 1 },
  );

test("the cart shows the shipping price, what is missing to free shipping, and a parcel that is too heavy", async ({
  page,
  database: db,
}) => {
  await customerWithCart({ page, db });
  await page.goto("/cart");
  await expectText(summary(page), "42,90 €");
  await expect(summary(page).getByText(/ivraison/)).toHaveCount(0);

  await createBoth(db);
  await page.reload();
  for (const text of [
    "Livraison à partir de 2,90 €",
    "Plus que 42,10 € pour la livraison offerte.",
    "Sous-total 42,90 €",
    "Total estimé 45,80 €",
  ])
    await expectText(summary(page), text);
  const header = page.getByRole("banner").getByRole("link", { name: "Voir le panier" }).first();
  await header.hover();
  await expectText(
    page.getByRole("region", { name: "Panier" }),
    "Plus que 42,10 € pour la livraison offerte.",
  );
  await page.keyboard.press("Escape");
  await expectFits(page);

  // Two lamps are too heavy for the letter, and expensive enough for a free parcel.
  await page.getByRole("main").getByLabel("Quantité de Lampe Aube").fill("2");
  await expectText(summary(page), "Livraison offerte");
  await expect(summary(page).getByText(/Plus que|à partir de/)).toHaveCount(0);
  await expectText(summary(page), "85,80 €");
  await openCheckout(page);
  await expectText(methods(page), "Offerte");
  await expectText(summary(page), "Livraison – Colis à domicileOfferte");

  await db.delete(shippingMethods).where(isNamed("Colis à domicile"));
  await openCheckout(page);
  await expect(page.getByRole("main").getByText(/trop lourd/)).toBeVisible();
  await expect(continueButton(page)).toBeDisabled();
  await page.goto("/cart");
  await expectText(
    summary(page),
    "Votre panier est trop lourd pour nos modes de livraison. Retirez des articles, ou passez plusieurs commandes.",
  );
  await expectAccessible(page);
});

test("the checkout offers the methods, says when one is gone or dearer, and the chosen one is paid", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(409, 422);
  const user = await customerWithCart({ page, db });
  await createBoth(db);
  await openCheckout(page);
  const radios = methods(page).getByRole("radio");
  await expect(radios).toHaveCount(2);
  await expect(radios.first()).toBeChecked();
  await expectText(methods(page).locator("label").first(), "3 à 4 jours ouvrés");
  await expectText(summary(page), "Livraison – Lettre suivie2,90 €");
  await expectText(summary(page), "45,80 €");
  await expectFits(page);
  await methods(page)
    .getByRole("radio", { name: /Colis à domicile/ })
    .check();
  await expectText(summary(page), "Livraison – Colis à domicile6,90 €");
  await expectText(summary(page), "49,80 €");

  await beforePayment(page, () =>
    db.update(shippingMethods).set({ isActive: false }).where(isNamed("Colis à domicile")),
  );
  await continueButton(page).click();
  await expect(alertOf(page)).toHaveText(
    "Ce mode de livraison n'est plus proposé. Veuillez en choisir un autre.",
  );
  await expect(radios).toHaveCount(1);
  await expectText(summary(page), "45,80 €");
  const bands = [{ maxGrams: 500, priceCents: 390 }];
  await beforePayment(page, () => db.update(shippingMethods).set({ bands }));
  await continueButton(page).click();
  await expect(alertOf(page)).toHaveText(
    "Votre panier a changé entre-temps. Vérifiez son nouveau total avant de payer.",
  );
  await expectText(summary(page), "46,80 €");
  await continueButton(page).click();
  await fillCard(page);
  await expectText(summary(page), "Livraison – Lettre suivie3,90 €");
  await expectText(payButton(page), "Payer 46,80 €");
  await payButton(page).click();

  await expect(page.getByRole("heading", { name: "Merci pour votre commande" })).toBeVisible();
  await expectText(page.getByRole("main"), "Votre paiement de 46,80 € est accepté.");
  await expectText(page.getByRole("main"), "Livraison – Lettre suivie3,90 €");
  expect(await ordersOf(db, user.id)).toMatchObject([
    { totalCents: 4680, shippingCents: 390, shippingMethod: "Lettre suivie" },
  ]);
  await page.goto("/orders");
  await page.getByRole("button", { name: "Détails" }).click();
  await expectText(page.getByRole("dialog"), "Livraison – Lettre suivie3,90 €");
  await expectText(page.getByRole("dialog"), "46,80 €");
});

test("staff add a method with bands by keyboard, on a narrow phone", async ({
  page,
  database: db,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openScreen({ page, database: db, path: "/backoffice/shipping" });
  await expect(page).toHaveTitle("Gestion des modes de livraison - Mini Ecommerce");
  await expect(page.getByText("Aucun mode de livraison trouvé.")).toBeVisible();
  const add = page.getByRole("button", { name: "Ajouter un mode de livraison" });
  await add.focus();
  await page.keyboard.press("Enter");
  const form = dialogOf(page);
  await expect(form).toHaveAccessibleName("Ajouter un mode de livraison");
  await expect(form.getByLabel("Nom")).toBeFocused();
  await expect(form.getByLabel("Actif")).toBeChecked();
  await expect(form.getByLabel("Prix")).toBeVisible();
  await page.keyboard.type("Colis à domicile");
  await page.keyboard.press("Tab");
  await expect(form.getByLabel("Délai")).toBeFocused();
  await page.keyboard.type("2 à 3 jours ouvrés");
  const first = form.getByRole("group", { name: "Tranche 1" });
  const second = form.getByRole("group", { name: "Tranche 2" });
  for (const band of [first, second]) {
    await form.getByRole("button", { name: "Ajouter une tranche" }).focus();
    await page.keyboard.press("Enter");
    await expect(band.getByLabel("Jusqu’à")).toBeFocused();
  }
  // Without bands there is one price; with bands, one for each.
  await expect(form.getByLabel("Prix")).toHaveCount(2);
  await first.getByLabel("Jusqu’à").focus();
  await page.keyboard.type("5000");
  await page.keyboard.press("Tab");
  await page.keyboard.type("8.90");
  for (const label of ["Jusqu’à", "Prix"]) {
    const isWhole = await first
      .getByLabel(label)
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    expect(isWhole, `all digits of ${label} are in sight`).toBe(true);
  }
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  // The second band is not filled in: a message says so, and no input is lost.
  await form.getByRole("button", { name: "Ajouter", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(form.getByText("Ce champ est obligatoire.")).toBeVisible();
  await expect(second.getByLabel("Jusqu’à")).toBeFocused();
  await page.keyboard.type("500");
  await page.keyboard.press("Tab");
  await page.keyboard.type("4.90");
  await page.keyboard.press("Enter");
  await expect(form).toBeHidden();
  await expect(add).toBeFocused();
  expect(await db.select().from(shippingMethods)).toMatchObject([
    {
      name: "Colis à domicile",
      delay: "2 à 3 jours ouvrés",
      freeFromCents: null,
      isActive: true,
      bands: [
        { maxGrams: 500, priceCents: 490 },
        { maxGrams: 5000, priceCents: 890 },
      ],
    },
  ]);
  await settled(page);
  await expectText(rowOf(page, "Colis à domicile"), "Jusqu’à 500 g : 4,90 €");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("staff change a method's prices and zones, see its history and delete it", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(422);
  await createBoth(db);
  await openScreen({ page, database: db, path: "/backoffice/shipping" });
  const row = rowOf(page, "Lettre suivie");
  await expectText(row, "France continentale");
  await row.getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  const save = form.getByRole("button", { name: "Enregistrer" });
  await form.getByRole("button", { name: "Retirer la tranche 1" }).click();
  await form.getByLabel("Prix").fill("3.5");
  await form.getByLabel("Offerte à partir de").fill("40");
  await form.getByLabel("Actif").uncheck();
  const zones = form.getByRole("group", { name: "Destinations" });
  await expect(zones.getByRole("checkbox")).toHaveCount(10);
  await zones.getByLabel("France continentale").uncheck();
  await save.click();
  await expect(form.getByRole("alert")).toHaveText(
    "Choisissez au moins une zone, ou saisissez un code postal.",
  );
  await zones.getByLabel("La Réunion").check();
  await zones.getByLabel("Corse").check();
  const postalCodes = form.getByLabel("Codes postaux en plus");
  await postalCodes.fill("98000, 6");
  await save.click();
  await expect(form.getByRole("alert")).toContainText("Un code postal a cinq chiffres");
  await expect(postalCodes).toBeFocused();
  await expectFits(page);
  await postalCodes.fill("98000, 69");
  await save.click();
  await expect(form).toBeHidden();
  for (const text of ["3,50 €", "Non", "Corse, La Réunion, 69, 98000"]) await expectText(row, text);
  expect(await db.select().from(shippingMethods).where(isNamed("Lettre suivie"))).toMatchObject([
    {
      priceCents: 350,
      freeFromCents: 4000,
      bands: [],
      isActive: false,
      zones: ["corsica", "reunion"],
      postalCodes: ["69", "98000"],
    },
  ]);

  await row.getByRole("button", { name: "Historique" }).click();
  for (const text of [
    "500 g : 2,90 € → –",
    "Offerte à partir de40,00 €",
    "DestinationsFrance continentale → Corse, La Réunion",
    "Codes postaux en plus69, 98000",
  ])
    await expectText(form, text);
  await expectAccessible(page);
  await form.getByRole("button", { name: "Fermer" }).click();
  await row.getByRole("button", { name: "Supprimer" }).click();
  await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
  await expect(row).toHaveCount(0);
  expect(await db.$count(shippingMethods)).toBe(1);
});
