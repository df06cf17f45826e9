import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart, createShippingMethod } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { expectAccessible } from "../axe";
import { dialogOf, openScreen, rowOf } from "../backoffice";
import { openSession } from "../browser-session";
import { ordersOf } from "../buying";
import {
  continueButton,
  expectText,
  fillCard,
  methods,
  openCheckout,
  summary,
} from "../checkout-page";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { expectNoSidewaysScroll, settled, WIDTHS } from "../storefront";

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
  return { user, lamp };
}

/** A letter for 2,90 € up to 500 g, and a parcel for 6,90 €, free from 85 € on. */
async function createBoth(db: Database) {
  const parcel = await createShippingMethod({
    db,
    name: "Colis à domicile",
    priceCents: 690,
    freeFromCents: 8500,
  });
  const letter = await createShippingMethod({
    db,
    name: "Lettre suivie",
    delay: "3 à 4 jours ouvrés",
    bands: [{ maxGrams: 500, priceCents: 290 }],
  });
  return { parcel, letter };
}

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

test.describe("the cart", () => {
  test("shows the shipping price, and the amount missing to free shipping", async ({
    page,
    database: db,
  }) => {
    await customerWithCart({ page, db });
    await createBoth(db);
    await page.goto("/cart");
    await expectText(summary(page), "Livraison à partir de 2,90 €");
    await expectText(summary(page), "Plus que 42,10 € pour la livraison offerte.");
    await expectText(summary(page), "Sous-total 42,90 €");
    await expectText(summary(page), "Total estimé 45,80 €");
    const header = page.getByRole("banner").getByRole("link", { name: "Voir le panier" }).first();
    await header.hover();
    await expectText(
      page.getByRole("region", { name: "Panier" }),
      "Plus que 42,10 € pour la livraison offerte.",
    );
    await page.keyboard.press("Escape");
    for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
    await expectAccessible(page);
    // Two lamps are too heavy for the letter, and expensive enough for a free parcel.
    await page.getByRole("main").getByLabel("Quantité de Lampe Aube").fill("2");
    await expectText(summary(page), "Livraison offerte");
    await expect(summary(page).getByText(/Plus que|à partir de/)).toHaveCount(0);
    await expectText(summary(page), "85,80 €");
  });

  test("shows nothing without methods, and warns if none can carry the parcel", async ({
    page,
    database: db,
  }) => {
    await customerWithCart({ page, db });
    await page.goto("/cart");
    await expectText(summary(page), "42,90 €");
    await expect(summary(page).getByText(/ivraison/)).toHaveCount(0);
    await createShippingMethod({ db, bands: [{ maxGrams: 399, priceCents: 290 }] });
    await page.reload();
    await expect(
      summary(page).getByText(
        "Votre panier est trop lourd pour nos modes de livraison. Retirez des articles, ou passez plusieurs commandes.",
      ),
    ).toBeVisible();
    await expectAccessible(page);
    await openCheckout(page);
    await expect(page.getByRole("main").getByText(/trop lourd/)).toBeVisible();
    await expect(continueButton(page)).toBeDisabled();
  });
});

test.describe("the checkout", () => {
  test("offers the methods, cheapest chosen; the chosen one is paid and shown", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWithCart({ page, db });
    await createBoth(db);
    await openCheckout(page);
    const radios = methods(page).getByRole("radio");
    await expect(radios).toHaveCount(2);
    await expect(radios.first()).toBeChecked();
    await expectText(methods(page).locator("label").first(), "Lettre suivie");
    await expectText(methods(page).locator("label").first(), "3 à 4 jours ouvrés");
    await expectText(summary(page), "Livraison – Lettre suivie2,90 €");
    await expectText(summary(page), "45,80 €");
    await expectFits(page);
    await methods(page)
      .getByRole("radio", { name: /Colis à domicile/ })
      .check();
    await expectText(summary(page), "Livraison – Colis à domicile6,90 €");
    await expectText(summary(page), "49,80 €");
    await continueButton(page).click();
    await fillCard(page);
    await expectText(summary(page), "Livraison – Colis à domicile6,90 €");
    const pay = page.getByRole("button", { name: /^Payer/ });
    await expectText(pay, "Payer 49,80 € – commande avec obligation de paiement");
    await pay.click();

    await expect(page.getByRole("heading", { name: "Merci pour votre commande" })).toBeVisible();
    const main = page.getByRole("main");
    await expectText(main, "Votre paiement de 49,80 € est accepté.");
    await expectText(main, "Livraison – Colis à domicile6,90 €");
    expect(await ordersOf(db, user.id)).toMatchObject([
      { totalCents: 4980, shippingCents: 690, shippingMethod: "Colis à domicile" },
    ]);
    await page.goto("/orders");
    await expectText(page.getByRole("row").last(), "49,80 €");
    await page.getByRole("button", { name: "Détails" }).click();
    await expectText(page.getByRole("dialog"), "Livraison – Colis à domicile6,90 €");
    await expectText(page.getByRole("dialog"), "49,80 €");
  });

  test("shows 'Offerte' for a free delivery", async ({ page, database: db }) => {
    await customerWithCart({ page, db });
    await createShippingMethod({ db, name: "Colis", freeFromCents: 4000 });
    await openCheckout(page);
    await expectText(methods(page), "Offerte");
    await expectText(summary(page), "Livraison – ColisOfferte");
  });

  test("shows that a method is gone or dearer, and offers the current ones", async ({
    page,
    database: db,
    problems,
  }) => {
    problems.allow(409, 422);
    await customerWithCart({ page, db });
    const { letter } = await createBoth(db);
    await openCheckout(page);
    await expect(methods(page).getByRole("radio")).toHaveCount(2);
    await beforePayment(page, () =>
      db.update(shippingMethods).set({ isActive: false }).where(eq(shippingMethods.id, letter.id)),
    );
    await continueButton(page).click();
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toHaveText(
      "Ce mode de livraison n'est plus proposé. Veuillez en choisir un autre.",
    );
    await expect(methods(page).getByRole("radio")).toHaveCount(1);
    await expectText(summary(page), "49,80 €");
    await beforePayment(page, () => db.update(shippingMethods).set({ priceCents: 790 }));
    await continueButton(page).click();
    await expect(alert).toHaveText(
      "Votre panier a changé entre-temps. Vérifiez son nouveau total avant de payer.",
    );
    await expectText(summary(page), "50,80 €");
    await continueButton(page).click();
    await expectText(page.getByRole("button", { name: /^Payer/ }), "Payer 50,80 €");
  });
});

test.describe("the screen 'Livraison'", () => {
  test("adds a method with bands by keyboard, on a narrow phone", async ({
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
    await page.keyboard.type("5000");
    await page.keyboard.press("Tab");
    await page.keyboard.type("4.90");
    await page.keyboard.press("Enter");
    await expect(form.getByText("Deux tranches ont le même poids.")).toBeVisible();
    await second.getByLabel("Jusqu’à").fill("500");
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

  test("changes, switches off and deletes a method, and shows its history", async ({
    page,
    database: db,
  }) => {
    const { letter } = await createBoth(db);
    await openScreen({ page, database: db, path: "/backoffice/shipping" });
    const row = rowOf(page, "Lettre suivie");
    await row.getByRole("button", { name: "Modifier" }).click();
    const form = dialogOf(page);
    await form.getByRole("button", { name: "Retirer la tranche 1" }).click();
    await form.getByLabel("Prix").fill("3.5");
    await form.getByLabel("Offerte à partir de").fill("40");
    await form.getByLabel("Actif").uncheck();
    await form.getByRole("button", { name: "Enregistrer" }).click();
    await expect(form).toBeHidden();
    await expectText(row, "3,50 €");
    await expectText(row, "Non");
    const [stored] = await db
      .select()
      .from(shippingMethods)
      .where(eq(shippingMethods.id, letter.id));
    expect(stored).toMatchObject({
      priceCents: 350,
      freeFromCents: 4000,
      bands: [],
      isActive: false,
      version: 2,
    });
    await row.getByRole("button", { name: "Historique" }).click();
    await expectText(form, "Tranches de poids");
    await expectText(form, "500 g : 2,90 € → –");
    await expectText(form, "Offerte à partir de40,00 €");
    await expectAccessible(page);
    await form.getByRole("button", { name: "Fermer" }).click();
    await row.getByRole("button", { name: "Supprimer" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Supprimer" }).click();
    await expect(row).toHaveCount(0);
    expect(await db.select().from(shippingMethods)).toHaveLength(1);
  });
});
