import { createAdmin } from "@/db/factories/people";
import { shopSettings } from "@/db/schema/settings";
import { expectAccessible } from "../axe";
import { dialogOf } from "../backoffice";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";

test("with a live key the dashboard warns in red of what keeps the shop from selling", async ({
  page,
  shopWith,
}) => {
  const { baseURL, database: db } = await shopWith({
    env: {
      STRIPE_SECRET_KEY: "rk_live_of_the_tests",
      STRIPE_PUBLISHABLE_KEY: "pk_live_of_the_tests",
      STRIPE_WEBHOOK_SECRET: "whsec_of_the_tests",
    },
  });
  await db.update(shopSettings).set({ siren: "", terms: "" });
  await openSession(page, await createAdmin({ db }));
  await page.goto(`${baseURL}/backoffice`);
  const refused = page.getByRole("alert").filter({ hasText: "La boutique ne vend pas" });
  await expect(refused).toHaveText(
    "La boutique ne vend pas\u00a0: avec une clé réelle de Stripe, aucun paiement n’est accepté tant qu’il manque le SIREN et les conditions générales de vente. Compléter",
  );
  await expectAccessible(page);
  await refused.getByRole("link", { name: "Compléter" }).click();
  await expect(page).toHaveTitle("Coordonnées du vendeur - Mini Ecommerce");
});

test("the dashboard links to the seller's form until it is filled in, and the form shows errors", async ({
  page,
  shopWith,
}) => {
  const { baseURL, database: db } = await shopWith();
  await db.delete(shopSettings);
  await openSession(page, await createAdmin({ db }));
  await page.goto(`${baseURL}/backoffice`);
  const missing = page.getByText("Les factures ne disent pas encore qui vend");
  await expect(missing).toBeVisible();
  await page.getByRole("link", { name: "Renseigner le vendeur" }).click();
  await expect(page).toHaveTitle("Coordonnées du vendeur - Mini Ecommerce");
  await page.getByRole("button", { name: "Renseigner" }).click();

  const form = dialogOf(page);
  await form.getByLabel("Raison sociale").fill("Les Tisserands SARL");
  await form.getByLabel("Adresse du siège").fill("4 rue du Fil\n59100 Roubaix");
  await form.getByLabel("SIREN").fill("552 081 318");
  await form.getByLabel("Numéro de TVA").fill("FR03552081317");
  await form.getByLabel("E-mail").fill("compta@tisserands.test");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form.getByRole("alert")).toContainText("Ce SIREN n'existe pas");
  await expect(form.getByLabel("SIREN")).toBeFocused();
  await expectAccessible(page);
  await form.getByLabel("SIREN").fill("552081317");
  await form.getByRole("button", { name: "Enregistrer" }).click();

  await expect(page.getByText("Les coordonnées sont enregistrées.")).toBeVisible();
  await expect(form).toBeHidden();
  await expect(missing).toBeHidden();
  await expect(page.getByText("FR03 552081317")).toBeVisible();
  await page.getByRole("button", { name: "Historique" }).click();
  await expect(dialogOf(page)).toContainText("Création");
  await page.goto(`${baseURL}/backoffice`);
  await expect(page.getByRole("link", { name: "Coordonnées du vendeur" })).toBeVisible();
  await expect(missing).toBeHidden();
});
