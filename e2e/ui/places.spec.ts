import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart, createShippingMethod } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { shopSettings } from "@/db/schema/settings";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { newAdmin } from "../admin";
import { dialogOf, openScreen, rowOf, unique } from "../backoffice";
import { openSession } from "../browser-session";
import { continueButton, expectText, methods, openCheckout, summary } from "../checkout-page";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";

// Where the shop delivers, and what it says of VAT there. Shipping methods count for every purchase in
// the database, so each test begins and ends without any.

test.beforeEach(({ database }) => database.delete(shippingMethods));
test.afterEach(({ database }) => database.delete(shippingMethods));

const shippingAddress = (page: Page, city: string) =>
  page.getByRole("group", { name: "Adresse de livraison" }).getByRole("radio", {
    name: new RegExp(city),
  });

/** A lamp of 42,90 € in the user's cart, and addresses in Lyon (by default) and elsewhere. */
async function fillCart({ db, userId }: { db: Database; userId: number }) {
  const at = (city: string, postalCode: string, isDefault = false) =>
    createAddress({ db, userId, city, postalCode, isDefault });
  await at("Lyon", "69003", true);
  await at("Ajaccio", "20000");
  await at("Cayenne", "97300");
  await at("Nouméa", "98800");
  await createAddress({ db, userId, type: "billing", isDefaultBilling: true });
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290, weight: 400 });
  await createCart({ db, userId, items: [{ productId: lamp.id }] });
}

/** A logged-in customer with this cart. */
async function customerWithCart({ page, db }: { page: Page; db: Database }) {
  const user = await createUser({ db });
  await fillCart({ db, userId: user.id });
  await openSession(page, user);
}

test("the checkout offers only methods for the address, and blocks an address without any", async ({
  page,
  database: db,
}) => {
  await customerWithCart({ page, db });
  await createShippingMethod({ db, name: "Colis", priceCents: 590 });
  await createShippingMethod({ db, name: "Colis en Corse", priceCents: 990, zones: ["corsica"] });
  await createShippingMethod({ db, name: "Colis lointain", priceCents: 2990, zones: ["guiana"] });
  await openCheckout(page);
  const radios = methods(page).getByRole("radio");
  await expect(radios).toHaveCount(1);
  await expectText(summary(page), "Livraison – Colis5,90 €");
  await expectText(summary(page), "48,80 €");
  await expectText(summary(page), "TVA comprise");

  await shippingAddress(page, "Nouméa").check();
  const refusal = page.getByText(
    "Nous ne livrons pas au code postal 98800. Veuillez choisir une autre adresse de livraison.",
  );
  await expect(refusal).toBeVisible();
  await expect(radios).toHaveCount(0);
  await expect(continueButton(page)).toBeDisabled();
  await expect(summary(page).getByText(/Livraison/)).toHaveCount(0);

  await shippingAddress(page, "Cayenne").check();
  await expect(refusal).toBeHidden();
  await expectText(summary(page), "Livraison – Colis lointain29,90 €");
  await expect(
    page.getByText(
      "À l'arrivée, des taxes locales peuvent vous être demandées, comme l'octroi de mer.",
    ),
  ).toBeVisible();
  await expect(summary(page).getByText("TVA comprise")).toHaveCount(0);
  await expectFits(page);

  await shippingAddress(page, "Ajaccio").check();
  await expectText(summary(page), "Livraison – Colis en Corse9,90 €");
  await expectText(summary(page), "TVA comprise");
  await continueButton(page).click();
  await expectText(
    page.getByRole("button", { name: /^Payer/ }),
    "Payer 52,80 € – commande avec obligation de paiement",
  );
});

test("the screen 'Livraison' shows and changes the zones of a method", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(422);
  const { id, name } = await createShippingMethod({ db, name: unique("Colis") });
  await openScreen({ page, database: db, path: "/backoffice/shipping" });
  const row = rowOf(page, name);
  await expectText(row, "France continentale");
  await row.getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  const zones = form.getByRole("group", { name: "Destinations" });
  await expect(zones.getByRole("checkbox")).toHaveCount(10);
  await expect(zones.getByLabel("France continentale")).toBeChecked();
  await zones.getByLabel("France continentale").uncheck();
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form.getByRole("alert")).toHaveText(
    "Choisissez au moins une zone, ou saisissez un code postal.",
  );
  await zones.getByLabel("La Réunion").check();
  await zones.getByLabel("Corse").check();
  await form.getByLabel("Codes postaux en plus").fill("98000, 6");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form.getByRole("alert")).toHaveText(
    "Un code postal a cinq chiffres, comme 69003, et un début de code en a deux à quatre, comme 974.",
  );
  await expect(form.getByLabel("Codes postaux en plus")).toBeFocused();
  await expectFits(page);
  await form.getByLabel("Codes postaux en plus").fill("98000, 69");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form).toBeHidden();
  await expectText(row, "Corse, La Réunion, 69, 98000");
  const [stored] = await db.select().from(shippingMethods).where(eq(shippingMethods.id, id));
  expect(stored).toMatchObject({ zones: ["corsica", "reunion"], postalCodes: ["69", "98000"] });
  await row.getByRole("button", { name: "Historique" }).click();
  await expectText(form, "DestinationsFrance continentale → Corse, La Réunion");
  await expectText(form, "Codes postaux en plus69, 98000");
});

test("a seller declares the VAT exemption, and the shop no longer mentions VAT", async ({
  page,
  api,
  database: db,
}) => {
  const [seller] = await db.select().from(shopSettings);
  const { id: userId } = await openScreen({ page, database: db, path: "/backoffice/seller" });
  await page.getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  await form.getByLabel("Numéro de TVA").fill("");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form.getByText("Ce champ est obligatoire.")).toBeVisible();
  await form.getByLabel("Franchise en base de TVA (art. 293 B du CGI)").check();
  await expectFits(page);
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(page.getByText("Les coordonnées sont enregistrées.")).toBeVisible();
  await expect(
    page.getByText("Franchise en base de TVA (art. 293 B du CGI)").locator(".."),
  ).toContainText("Oui");

  await fillCart({ db, userId });
  const noVat = async () => {
    await expect(page.getByRole("main").getByText(/42,90/).first()).toBeVisible();
    await expect(page.getByText(/TVA|TTC|taxes comprises/)).toHaveCount(0);
  };
  await page.goto("/cart");
  await noVat();
  await createShippingMethod({ db, name: "Colis" });
  await openCheckout(page);
  await noVat();
  // Later tests need the shop's one seller as it was.
  const { token } = await newAdmin(db);
  const json = { vatExempt: false, vatNumber: seller?.vatNumber };
  expect((await api.put("/api/admin/seller", { token, json })).status).toBe(200);
});

test("the dashboard warns of products without a weight, and links to them", async ({
  page,
  database: db,
}) => {
  const name = unique("Lampe sans poids ");
  const { id } = await createProduct({ db, name, weight: null });
  await createShippingMethod({ db, bands: [{ maxGrams: 500, priceCents: 290 }] });
  await openScreen({ page, database: db, path: "/backoffice" });
  const tile = page.getByRole("region", { name: "À faire" }).getByRole("link", {
    name: /Sans poids/,
  });
  await expect(tile).not.toHaveText(/^0\b/);
  await expectFits(page);
  await tile.click();
  await expect(page).toHaveURL(/\/backoffice\/products\?withoutWeight=true/);
  await expect(page.getByLabel("Poids")).toHaveValue("true");
  await page.getByLabel("Rechercher").fill(name);
  const row = rowOf(page, name);
  await row.getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  await expect(
    form.getByText("Vide\u00a0: compté pour 0 g dans le prix de la livraison."),
  ).toBeVisible();
  await form.getByLabel("Poids (g)").fill("1200");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form).toBeHidden();
  await expect(row).toHaveCount(0);
  const [stored] = await db.select().from(products).where(eq(products.id, id));
  expect(stored?.weight).toBe(1200);
});
