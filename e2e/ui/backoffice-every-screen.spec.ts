import { createAdmin, createUser } from "@/db/factories";
import { expectAccessible } from "../axe";
import { openScreen, windowOf } from "../backoffice";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { expectNoSidewaysScroll, settled, WIDTHS } from "../storefront";

// What must hold on every screen of the back office, whatever it shows.

const SCREENS = [
  "",
  "products",
  "orders",
  "invoices",
  "cart",
  "users",
  "addresses",
  "category",
  "reviews",
  "tags",
];

for (const name of SCREENS)
  test(`/backoffice/${name} is accessible and narrow enough on every device`, async ({
    page,
    database,
  }) => {
    const path = name === "" ? "/backoffice" : `/backoffice/${name}`;
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
    if (name === "") return;
    // The rows scroll alone: what is above and below them stays where it is.
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(
      await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight),
    ).toBeLessThanOrEqual(0);
    await expect(page.getByLabel("Lignes par page")).toBeInViewport();
    await page.getByRole("button", { name: /^Ajouter/ }).click();
    const form = windowOf(page);
    await expect(form.getByRole("button", { name: "Fermer" })).toHaveText("×");
    // A field is found by its label alone, and nothing else is.
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

const UNKNOWN = "/backoffice/inconnue/7";

test("an unknown address is a 404 inside of the back office", async ({
  page,
  database,
  problems,
}) => {
  problems.allow(/404/);
  await openSession(page, await createAdmin({ db: database }));
  const answer = await page.goto(UNKNOWN);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page introuvable");
  await expect(page).toHaveTitle("Page introuvable - Mini Ecommerce");
  await expect(page.locator('meta[name="robots"]').first()).toHaveAttribute("content", /noindex/);
  await expect(page.getByRole("navigation", { name: "Menu du back office" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "Tableau de bord" }).click();
  await expect(page).toHaveURL("/backoffice");
  await expect(page).toHaveTitle("Tableau de bord - Mini Ecommerce");
});

test("an unknown address is guarded like every other", async ({ page, database }) => {
  await page.goto(UNKNOWN);
  await expect(page).toHaveURL(/\/login/);
  await openSession(page, await createUser({ db: database }));
  await page.goto(UNKNOWN);
  await expect(page).toHaveURL("/");
});
