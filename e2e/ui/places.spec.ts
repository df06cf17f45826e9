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
import { dialogOf, openScreen, rowOf, saveForm, unique } from "../backoffice";
import { openSession } from "../browser-session";
import {
  continueButton,
  expectText,
  methods,
  openCheckout,
  payButton,
  summary,
} from "../checkout-page";
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
  for (const [city, postalCode] of [
    ["Lyon", "69003"],
    ["Ajaccio", "20000"],
    ["Cayenne", "97300"],
    ["Nouméa", "98800"],
  ] as const)
    await createAddress({ db, userId, city, postalCode, isDefault: city === "Lyon" });
  await createAddress({ db, userId, type: "billing", isDefaultBilling: true });
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290, weight: 400 });
  await createCart({ db, userId, items: [{ productId: lamp.id }] });
}

test("the checkout offers only methods for the address, and blocks an address without any", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  await fillCart({ db, userId: user.id });
  await openSession(page, user);
  await createShippingMethod({ db, name: "Colis", priceCents: 590 });
  await createShippingMethod({ db, name: "Colis en Corse", priceCents: 990, zones: ["corsica"] });
  await createShippingMethod({ db, name: "Colis lointain", priceCents: 2990, zones: ["guiana"] });
  await openCheckout(page);
  const radios = methods(page).getByRole("radio");
  await expect(radios).toHaveCount(1);
  await expectText(summary(page), "Livraison – Colis5,90 €");

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
  await expectText(payButton(page), "Payer 52,80 €");
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
  await expect(form).toContainText("Vide\u00a0: compté pour 0 g dans le prix de la livraison.");
  await form.getByLabel("Poids (g)").fill("1200");
  await saveForm(form);
  await expect(row).toHaveCount(0);
  const [stored] = await db.select().from(products).where(eq(products.id, id));
  expect(stored?.weight).toBe(1200);
});
