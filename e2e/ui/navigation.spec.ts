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

test("a visitor's top navigation is the same on every page", async ({ page }) => {
  for (const path of ["/", "/product/1"]) {
    await page.goto(path);
    await expectEntries(page, ["Accueil", "Nos produits", "Contact", "Connexion", "Inscription"]);
    expect(await hrefOf(page, "Accueil")).toBe("/");
    expect(await hrefOf(page, "Nos produits")).toBe("/products");
    expect(await hrefOf(page, "Contact")).toBe("/contact");
    expect(await hrefOf(page, "Connexion")).toBe("/login");
    expect(await hrefOf(page, "Inscription")).toBe("/register");
    expect(await hrefOf(page, "Voir le panier")).toBe("/cart");
    await expect(page.getByRole("banner").getByText(/Mon compte|Déconnexion/)).toHaveCount(0);
    // Screen reader users list links by name. They find only one link with this name.
    await expect(page.getByRole("link", { name: "Nos produits" })).toHaveCount(1);
  }
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
  await storeSession(page, await createAdmin({ db }));
  await page.goto("/");
  await expectEntries(page, [
    "Accueil",
    "Nos produits",
    "Contact",
    "Back office",
    "Mon compte",
    "Déconnexion",
  ]);
  expect(await hrefOf(page, "Back office")).toBe("/backoffice");
  await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
  await expectEntries(page, []);
  await page.getByRole("banner").getByRole("button", { name: "Menu" }).click();
  await expectEntries(page, [
    "Accueil",
    "Nos produits",
    "Contact",
    "Back office",
    "Mon compte",
    "Déconnexion",
    "Voir le panier",
  ]);
});

test("a stored role without a token shows no back office", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("roles", '["ROLE_ADMIN"]'));
  await page.goto("/");
  await expect.poll(() => entries(page)).toContain("Connexion");
  expect(await entries(page)).not.toContain("Back office");
});

test("the link of the current page is marked, also after moving on without a reload", async ({
  page,
}) => {
  const current = page.getByRole("banner").locator('li:visible a[aria-current="page"]');
  await page.goto("/");
  await expect(current).toHaveText("Accueil");
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await expect(page).toHaveURL("/contact");
  await expect(current).toHaveText("Contact");
  await page.getByRole("banner").getByRole("link", { name: "Nos produits" }).click();
  await expect(current).toHaveText("Nos produits");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: WIDTHS.phone, height: 740 } });

  const menu = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Menu" });

  test("the burger menu repeats the links, and closes by Escape or a link", async ({ page }) => {
    await page.goto("/");
    await expectEntries(page, []);
    await menu(page).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => entries(page)).toContain("Contact");
    await page.keyboard.press("Escape");
    await expectEntries(page, []);
    await expect(menu(page)).toBeFocused();
    await menu(page).click();
    await expectEntries(page, [
      "Accueil",
      "Nos produits",
      "Contact",
      "Connexion",
      "Inscription",
      "Voir le panier",
    ]);
    await expectAccessible(page);
    await page.getByRole("banner").getByRole("link", { name: "Nos produits" }).click();
    await expect(page).toHaveURL("/products");
    await expectEntries(page, []);
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("the burger menu opens all the same", async ({ page }) => {
      await page.goto("/contact");
      await menu(page).click();
      await page.getByRole("banner").getByRole("link", { name: "Nos produits" }).click();
      await expect(page).toHaveURL("/products");
    });
  });
});

test("the first Tab stop is a link that skips the navigation", async ({ page }) => {
  await page.goto("/products");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Aller au contenu" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
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

  test("from a list to a product, which is not asked for again", async ({ page }) => {
    await page.goto("/products");
    const link = card(page).filter({ visible: true }).first();
    const name = (await link.textContent()) ?? "";
    const [path = ""] = ((await link.getAttribute("href")) ?? "").split("?");
    await prefetch({ page, link, path });
    const asked = watchRequests(page, path);
    await link.click();
    await expect(title(page)).toHaveText(name);
    expect(asked).toEqual([]);
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

  test("and requested again after half a minute", async ({ page, api, arrange, database }) => {
    const { id, name, defaultCategoryId } = await arrange((db) =>
      createProduct({ db, type: "physical", priceCents: 5_100 }),
    );
    const { token } = await newAdmin(database);
    await page.goto(`/products?category=${defaultCategoryId}`);
    const link = card(page).filter({ hasText: name });
    await prefetch({ page, link, path: `/product/${id}` });
    await api.put(`/api/physical_products/${id}`, { token, json: { price: 52 } });
    await page.clock.install();
    await page.clock.fastForward(31_000);
    await link.click();
    const price = page.getByRole("main").getByText("TVA comprise").locator("..");
    await expect(price).toContainText("52,00");
  });
});
