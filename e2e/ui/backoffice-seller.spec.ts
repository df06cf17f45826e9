import { createAdmin } from "@/db/factories/people";
import { shopSettings } from "@/db/schema/settings";
import { expectAccessible } from "../axe";
import { dialogOf } from "../backoffice";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";

test("the dashboard warns until the seller's form is filled in", async ({ page, shopWith }) => {
  const { baseURL, database: db } = await shopWith({
    env: {
      STRIPE_SECRET_KEY: "rk_live_of_the_tests",
      STRIPE_PUBLISHABLE_KEY: "pk_live_of_the_tests",
      STRIPE_WEBHOOK_SECRET: "whsec_of_the_tests",
    },
  });
  await db.delete(shopSettings);
  await openSession(page, await createAdmin({ db }));
  await page.goto(`${baseURL}/backoffice`);
  const refused = page.getByRole("alert").filter({ hasText: "La boutique ne vend pas" });
  const missing = page.getByText("Les factures ne disent pas encore qui vend");
  const ASKED =
    "La boutique ne vend pas\u00a0: avec une clé réelle de Stripe, aucun paiement n’est accepté tant qu’il manque";
  await expect(refused).toHaveText(
    `${ASKED} la raison sociale, l’adresse, le SIREN et les conditions générales de vente. Compléter`,
  );
  await expect(missing).toBeVisible();
  await expect(refused.getByRole("link", { name: "Compléter" })).toBeVisible();
  await expectAccessible(page);
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
  await expect(form).toContainText("Création");

  await page.goto(`${baseURL}/backoffice`);
  await expect(refused).toHaveText(`${ASKED} les conditions générales de vente. Compléter`);
  await expect(page.getByRole("link", { name: "Coordonnées du vendeur" })).toBeVisible();
  await expect(missing).toBeHidden();
});
