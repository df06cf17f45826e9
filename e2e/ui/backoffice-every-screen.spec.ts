import { createAdmin } from "@/db/factories/people";
import { expectAccessible } from "../axe";
import { dialogOf, openScreen, SCREENS } from "../backoffice";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { doubleText, expectNoSidewaysScroll, normalText, settled, WIDTHS } from "../storefront";

// Invariants of every screen of the back office.

const TABLELESS = ["/backoffice", "/backoffice/seller"];
/** Screens on which nothing is added or changed. */
const FORMLESS = ["/backoffice", "/backoffice/credit-notes", "/backoffice/withdrawals"];

for (const path of SCREENS)
  test(`${path} is accessible and never scrolls sideways`, async ({ page, database }) => {
    await openScreen({ page, database, path });
    await expect(page).toHaveTitle(/\S - Mini Ecommerce$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.getByRole("main")).toHaveCount(1);
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
    await expect(page.locator('meta[name="description"]')).toHaveAttribute("content", /\S/);
    await expect(page.locator('meta[name="keywords"]')).toHaveAttribute("content", /back office/);
    for (const width of Object.values(WIDTHS)) {
      await page.setViewportSize({ width, height: 900 });
      await expect(page.getByText("Chargement", { exact: true })).toHaveCount(0);
      await settled(page);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await doubleText(page);
    await expectNoSidewaysScroll(page);
    if (path === "/backoffice") return;
    await normalText(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    if (!TABLELESS.includes(path)) {
      // Only the rows scroll, not the page.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight))
        .toBeLessThanOrEqual(0);
      await expect(page.getByLabel("Lignes par page")).toBeInViewport();
    }
    if (FORMLESS.includes(path)) return;
    await page
      .getByRole("button", { name: /^(Ajouter|Renseigner|Modifier)/ })
      .first()
      .click();
    const form = dialogOf(page);
    await expect(form.getByRole("button", { name: "Fermer" })).toHaveText("×");
    // Labels are unique in the form.
    for (const label of await form.locator("label").allTextContents())
      await expect(form.getByLabel(label, { exact: true }), label).toHaveCount(1);
    for (const width of Object.values(WIDTHS)) {
      await page.setViewportSize({ width, height: 700 });
      await expect(form).toBeVisible();
      await expect(page.getByRole("button", { name: "Annuler" })).toBeInViewport();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  });

test("the empty lists of a new shop say where to begin", async ({ page, shopWith }) => {
  const { baseURL, database, forgetCaches } = await shopWith();
  await database.execute("truncate products, categories, tags cascade");
  await forgetCaches();
  await page.goto(baseURL);
  await expect(page.getByRole("tablist")).toBeVisible();
  await expect(page.getByText("Par thème")).toBeHidden();

  await openSession(page, await createAdmin({ db: database }));
  await page.goto(`${baseURL}/backoffice`);
  await expect(page.getByText("Aucun produit sans image.")).toBeVisible();

  await page.goto(`${baseURL}/backoffice/products`);
  const region = page.getByRole("region", { name: /^Gestion/ });
  const none = region.getByText("Aucun produit trouvé.");
  for (const width of Object.values(WIDTHS)) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    const list = await region.boundingBox();
    const { left, right } = await none.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect();
    });
    const middle = Number(list?.x) + Number(list?.width) / 2;
    expect(Math.abs((left + right) / 2 - middle), `${width} px wide`).toBeLessThan(4);
    await expectNoSidewaysScroll(page);
  }
  await page.getByRole("button", { name: /^Ajouter/ }).click();
  const form = dialogOf(page);
  await expect(form.getByText("Il n’y a aucune catégorie. Créez-en une d’abord.")).toBeVisible();
  await form.getByRole("link", { name: "Créez-en une" }).click();
  await expect(page).toHaveURL(`${baseURL}/backoffice/category`);
  await expect(page.getByText("Aucune catégorie trouvée.")).toBeVisible();
  // The shop ends with the test, so the page must send no further requests.
  await page.close();
});

test("an unknown path is a 404 for administrators only", async ({ page, database, problems }) => {
  problems.allow(404);
  await openScreen({ page, database, path: "/backoffice/inconnue/7" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page introuvable");
  await expect(page).toHaveTitle("Page introuvable - Mini Ecommerce");
  await expect(page.locator('meta[name="robots"]').first()).toHaveAttribute("content", /noindex/);
  await expect(page.getByRole("navigation", { name: "Menu du back office" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "Tableau de bord" }).click();
  await expect(page).toHaveURL("/backoffice");
  await expect(page).toHaveTitle("Tableau de bord - Mini Ecommerce");
  await page.evaluate(() => {
    localStorage.setItem("roles", '["ROLE_USER"]');
    window.dispatchEvent(new Event("auth-changed"));
  });
  await expect(page).toHaveURL("/");
});
