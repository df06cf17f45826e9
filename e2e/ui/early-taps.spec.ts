import type { Page } from "@playwright/test";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import { WIDTHS, watchRequests } from "../storefront";

// On a slow phone a page is visible for seconds before its scripts run. Clicks, submits and choices in
// that time take effect once the scripts run.

/** Opens the page without its scripts. Returns a function that lets the scripts load. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  await page.unrouteAll();
  const release = await holdRequests(page, /\/_next\/static\/.*\.js/);
  await page.goto(path, { waitUntil: "commit" });
  return release;
}

test("a tap on 'Ajouter au panier' before hydration adds the product once", async ({
  page,
  database: db,
  arrange,
}) => {
  const product = await arrange((tx) => createProduct({ db: tx }));
  await openSession(page, await createUser({ db }));
  const added = watchRequests(page, "/api/cart/add");
  const release = await openWithoutScripts(page, `/product/${product.id}`);
  await page.getByRole("button", { name: "Un de plus" }).click();
  const add = page.getByRole("button", { name: "Ajouter au panier" });
  await add.click();
  await add.click();
  // The button shows that the tap was taken.
  await expect(add).toHaveCSS("opacity", "0.6");
  expect(added).toHaveLength(0);
  const answer = page.waitForResponse("**/api/cart/add");
  release();
  expect((await answer).request().postDataJSON()).toEqual({ productId: product.id, quantity: 2 });
  await expect(page.getByText(/^Produit ajouté au panier/)).toBeVisible();
  await expect(add).toHaveCSS("opacity", "1");
  await expect(page).toHaveURL("/cart");
  expect(added).toHaveLength(1);
});

test("a sort, a tab and a form that are used before hydration take effect", async ({ page }) => {
  const showProducts = await openWithoutScripts(page, "/products");
  await page.getByLabel("Trier par prix").selectOption("asc");
  showProducts();
  await expect(page).toHaveURL("/products?price_sort=asc");

  const showHome = await openWithoutScripts(page, "/");
  const tab = page.getByRole("tab", { name: "Les Moins Chers" });
  await tab.click();
  showHome();
  await expect(tab).toHaveAttribute("aria-selected", "true");

  const showForm = await openWithoutScripts(page, "/forget-password");
  await page.getByLabel("Email").fill("personne@exemple.test");
  await page.getByRole("button", { name: /^(Envoyer|Réinitialiser)/ }).click();
  showForm();
  await expect(page.getByRole("status").filter({ hasText: /\S/ })).toBeVisible();
});

test("the menu, the search and the contact form work before hydration", async ({ page }) => {
  await page.setViewportSize({ width: WIDTHS.phone, height: 800 });
  await openWithoutScripts(page, "/");
  await page.getByRole("button", { name: "Menu" }).click();
  const menu = page.locator("#header-menu");
  await expect(menu.getByRole("link", { name: "Nos produits" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Rechercher" }).click();
  await page.locator("#header-search").getByRole("combobox").fill("lampe");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/products?search=lampe");

  await page.goto("/contact", { waitUntil: "commit" });
  await page.getByLabel("Nom").fill("Maëlle");
  await page.getByLabel("Email").fill("maelle@exemple.test");
  await page.getByLabel("Message").fill("Livrez-vous à Rezé ?");
  await page.getByRole("button", { name: "Envoyer" }).click();
  await expect(page).toHaveURL("/contact/merci");
});
