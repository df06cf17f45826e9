import type { Page } from "@playwright/test";
import { createProduct } from "@/db/factories/catalogue";
import { createAdmin, createUser } from "@/db/factories/people";
import { newAdmin } from "../admin";
import { expectAccessible } from "../axe";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { prefetch, storeSession, WIDTHS, watchRequests } from "../storefront";

/** The texts of the visible links and buttons of the top navigation, in order. */
async function entries(page: Page): Promise<string[]> {
  const items = page.getByRole("banner").locator("li:visible");
  return (await items.allTextContents()).map((text) => text.trim());
}

const expectEntries = (page: Page, expected: string[]) =>
  expect.poll(() => entries(page)).toEqual(expected);

const hrefOf = (page: Page, name: string) =>
  page
    .getByRole("banner")
    .getByRole("link", { name, exact: true })
    .filter({ visible: true })
    .getAttribute("href");

const VISITOR = ["Accueil", "Nos produits", "Contact", "Connexion", "Inscription"];

test("a visitor's top navigation is the same on every page, and marks the current one", async ({
  page,
}) => {
  const current = page.getByRole("banner").locator('li:visible a[aria-current="page"]');
  await page.goto("/");
  await expectEntries(page, VISITOR);
  for (const [name, path] of [
    ["Accueil", "/"],
    ["Nos produits", "/products"],
    ["Contact", "/contact"],
    ["Connexion", "/login"],
    ["Inscription", "/register"],
    ["Voir le panier", "/cart"],
  ] as const)
    expect(await hrefOf(page, name)).toBe(path);
  await expect(page.getByRole("banner").getByText(/Mon compte|Déconnexion/)).toHaveCount(0);
  // Screen reader users list links by name. They find only one link with this name.
  await expect(page.getByRole("link", { name: "Nos produits" })).toHaveCount(1);
  await expect(current).toHaveText("Accueil");
  for (const name of ["Contact", "Nos produits"]) {
    await page.getByRole("banner").getByRole("link", { name }).click();
    await expect(current).toHaveText(name);
  }
  await test.step("also with a stored role, but no token", async () => {
    await page.evaluate(() => localStorage.setItem("roles", '["ROLE_ADMIN"]'));
    await page.goto("/product/1");
    await expectEntries(page, VISITOR);
  });
  await test.step("the first Tab stop is a link that skips it", async () => {
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Aller au contenu" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page.locator("main")).toBeFocused();
  });
});

test("a customer's top navigation shows the account and the logout, not the back office", async ({
  page,
  database: db,
}) => {
  await storeSession(page, await createUser({ db }));
  await page.goto("/products");
  await expectEntries(page, ["Accueil", "Nos produits", "Contact", "Mon compte", "Déconnexion"]);
  expect(await hrefOf(page, "Mon compte")).toBe("/account");
  // The document does not contain the back office as a hidden link either.
  await expect(page.getByRole("banner").getByText("Back office")).toHaveCount(0);
  await expect(page.getByRole("banner").getByText("Connexion", { exact: true })).toHaveCount(0);
});

test("an administrator's top navigation has the back office", async ({ page, database: db }) => {
  const links = ["Accueil", "Nos produits", "Contact", "Back office", "Mon compte", "Déconnexion"];
  await storeSession(page, await createAdmin({ db }));
  await page.goto("/");
  await expectEntries(page, links);
  expect(await hrefOf(page, "Back office")).toBe("/backoffice");
  await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
  await expectEntries(page, []);
  await page.getByRole("banner").getByRole("button", { name: "Menu" }).click();
  await expectEntries(page, [...links, "Voir le panier"]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: WIDTHS.phone, height: 740 } });

  test("the burger menu repeats the links, and closes by Escape or a link", async ({ page }) => {
    const menu = page.getByRole("banner").getByRole("button", { name: "Menu" });
    await page.goto("/");
    await expectEntries(page, []);
    await menu.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => entries(page)).toContain("Contact");
    await page.keyboard.press("Escape");
    await expectEntries(page, []);
    await expect(menu).toBeFocused();
    await menu.click();
    await expectEntries(page, [...VISITOR, "Voir le panier"]);
    await expectAccessible(page);
    await page.getByRole("banner").getByRole("link", { name: "Nos produits" }).click();
    await expect(page).toHaveURL("/products");
    await expectEntries(page, []);
  });
});

test("an early click on a link leaves nothing of the former page in the head", async ({
  page,
  database,
}) => {
  await openSession(page, await createUser({ db: database }));
  // Clicks as soon as React handles clicks, which is before it knows what the head contains.
  await page.addInitScript(() => {
    const watch = setInterval(() => {
      const link = document.querySelector<HTMLElement>('header a[href="/contact"]');
      if (!link || !Object.keys(link).some((key) => key.startsWith("__reactProps$"))) return;
      clearInterval(watch);
      link.click();
    }, 1);
  });
  await page.goto("/", { waitUntil: "commit" });
  await expect(page).toHaveTitle("Contact - Mini Ecommerce");
  const singles = ["title", ...["description", "keywords"].map((key) => `meta[name="${key}"]`)];
  for (const single of [...singles, 'link[rel="canonical"]', 'meta[property="og:title"]'])
    await expect(page.locator(`head > ${single}`), single).toHaveCount(1);
});

test.describe("a page is prefetched when a mouse points at its link", () => {
  const card = (page: Page) => page.getByRole("main").getByRole("article").getByRole("link");
  const title = (page: Page) => page.getByRole("main").getByRole("heading", { level: 1 });

  test("and not asked for again within half a minute", async ({ page, api, arrange, database }) => {
    const { id, name, defaultCategoryId } = await arrange((db) =>
      createProduct({ db, type: "physical", priceCents: 5_100 }),
    );
    const { token } = await newAdmin(database);
    const path = `/product/${id}`;
    const link = card(page).filter({ hasText: name });
    const price = page.getByRole("main").getByText("TVA comprise").locator("..");
    await page.goto(`/products?category=${defaultCategoryId}`);
    await prefetch({ page, link, path });
    const asked = watchRequests(page, path);
    await link.click();
    await expect(title(page)).toHaveText(name);
    expect(asked).toEqual([]);

    await page.goto(`/products?category=${defaultCategoryId}`);
    await prefetch({ page, link, path });
    await api.put(`/api/physical_products/${id}`, { token, json: { price: 52 } });
    await page.clock.install();
    await page.clock.fastForward(31_000);
    await link.click();
    await expect(price).toContainText("52,00");
  });

  test("and requested again by a click before it has arrived", async ({ page }) => {
    await page.goto("/products");
    const link = card(page).first();
    const name = (await link.textContent()) ?? "";
    const ahead: string[] = [];
    await page.route("**/product/**", (route) => {
      const isAhead = route.request().headers()["next-router-prefetch"] !== undefined;
      if (isAhead) ahead.push(route.request().url());
      else return route.continue();
    });
    await link.hover();
    await expect.poll(() => ahead).not.toEqual([]);
    await link.click();
    await expect(title(page)).toHaveText(name);
  });
});
