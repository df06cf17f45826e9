import type { Page } from "@playwright/test";
import { createProduct } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { confirmDialogOf, dialogOf, openScreen, rowOf, search, unique } from "../backoffice";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import { plainSpaces, WIDTHS } from "../storefront";

// What axe cannot check: where the focus goes when the focused element disappears, whether the focus is
// in view, and what is read out. Zoomed to 400 %, a window of 1280 × 1024 pixels is as small as 320 ×
// 256.

const ZOOMED = { width: 320, height: 256 };

/** Is the middle of the focused element in view, with nothing above it? */
const isFocusInSight = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (!activeElement) return false;
    const { x, y, width, height } = activeElement.getBoundingClientRect();
    const above = document.elementFromPoint(x + width / 2, y + height / 2);
    return activeElement.contains(above) || above?.contains(activeElement) === true;
  });

const focused = (page: Page) => page.locator("*:focus");

test("a dialog can be used in a zoomed window", async ({ page, database }) => {
  await page.setViewportSize(ZOOMED);
  await openScreen({ page, database, path: "/backoffice/products" });
  await page.getByRole("button", { name: "Modifier" }).first().click();
  const name = dialogOf(page).getByLabel("Nom", { exact: true });
  await expect(name).toBeFocused();
  await expect(name).toBeInViewport({ ratio: 1 });
  const save = dialogOf(page).getByRole("button", { name: "Enregistrer" });
  await save.focus();
  await expect(save).toBeInViewport({ ratio: 1 });
});

test("the buttons of a row, and the confirmation of its deletion, name the row", async ({
  page,
  database,
}) => {
  const name = unique("Vase");
  for (const each of [`${name} bleu`, `${name} vert`])
    await createProduct({ db: database, name: each });
  await openScreen({ page, database, path: "/backoffice/products" });
  await search(page, name);
  const blue = rowOf(page, `${name} bleu`);
  for (const label of ["Stock", "Modifier", "Historique", "Supprimer"])
    await expect(blue.getByRole("button", { name: label })).toHaveAccessibleDescription(
      `${name} bleu`,
    );
  await expect(blue.getByRole("link", { name: "Voir" })).toHaveAccessibleDescription(
    `${name} bleu`,
  );
  await expect(blue.getByRole("checkbox")).toHaveAccessibleDescription(`${name} bleu`);
  await blue.getByRole("button", { name: "Supprimer" }).click();
  await expect(confirmDialogOf(page)).toHaveAccessibleDescription(new RegExp(`^${name} bleu`));
  await page.keyboard.press("Escape");
  const all = page.getByLabel("Tout sélectionner");
  await blue.getByRole("checkbox").check();
  await expect(all).toBeChecked({ indeterminate: true });
  await all.check();
  await expect(all).not.toBeChecked({ indeterminate: true });
  await page.getByRole("button", { name: "Supprimer la sélection" }).click();
  const both = confirmDialogOf(page);
  await expect(both).toContainText(`${name} bleu`);
  await expect(both).toContainText(`${name} vert`);
});

test("no element of a table that gets the focus is hidden", async ({ page, database }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await openScreen({ page, database, path: "/backoffice/products" });
  const remove = page.getByRole("button", { name: "Supprimer" });
  await remove.nth(15).focus();
  const stops: string[] = [];
  for (let i = 0; i < 50; i++) {
    await page.keyboard.press("Shift+Tab");
    if (!(await isFocusInSight(page)))
      stops.push(await focused(page).evaluate((element) => element.outerHTML.slice(0, 100)));
  }
  expect(stops).toEqual([]);
});

for (const { path, menu } of [
  { path: "/contact", menu: "header-menu" },
  { path: "/backoffice/tags", menu: "backoffice-menu" },
])
  test(`the menu of ${path} closes when the focus leaves it`, async ({ page, database }) => {
    await page.setViewportSize(ZOOMED);
    await openScreen({ page, database, path });
    await page.locator(`button[popovertarget=${menu}]`).first().press("Enter");
    const panel = page.locator(`#${menu}`);
    await expect(panel).toBeVisible();
    await panel.locator("a, button").last().focus();
    await expect(panel).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(panel).toBeHidden();
    expect(await isFocusInSight(page)).toBe(true);
  });

test("the focus stays in a list whose last page is reached, or whose selection is cleared", async ({
  page,
  database,
}) => {
  const name = unique("Bol");
  for (let i = 0; i < 11; i++) await createProduct({ db: database, name: `${name} ${i}` });
  await openScreen({ page, database, path: `/backoffice/products?search=${name}&itemsPerPage=10` });
  const release = await holdRequests(page, /[?&]page=2&/);
  await page.getByRole("link", { name: "Page suivante" }).press("Enter");
  await expect(page.getByRole("link", { name: "Page 2" })).toBeFocused();
  // The first page's rows are still shown, and must not be selected.
  await expect(page.getByLabel("Tout sélectionner")).toBeDisabled();
  await expect(page.getByLabel(/^Sélectionner/).first()).toBeDisabled();
  release();
  await expect(page.getByText("11–11 sur 11")).toBeVisible();
  await page.getByLabel("Tout sélectionner").check();
  await expect(page.getByLabel(/^Sélectionner/)).toHaveCount(1);
  await expect(page.getByLabel(/^Sélectionner/)).toBeChecked();
  await page.getByRole("button", { name: "Tout désélectionner" }).press("Enter");
  await expect(page.getByRole("region", { name: /^Gestion/ })).toBeFocused();
});

test("the focus stays in a field whose item is removed, and goes to one that is added", async ({
  page,
  database,
}) => {
  const user = await createUser({ db: database });
  const products = [];
  for (let i = 0; i < 3; i++) products.push(await createProduct({ db: database }));
  const items = products.map(({ id }) => ({ productId: id, quantity: 1 }));
  await createCart({ db: database, userId: user.id, items });
  await openScreen({ page, database, path: `/backoffice/cart?search=${user.email}` });
  await page.getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  const removalOf = (number: number) =>
    form.getByRole("button", { name: `Retirer l’article ${number}` });
  await removalOf(2).press("Enter");
  await expect(removalOf(2)).toBeFocused();
  await removalOf(2).press("Enter");
  await expect(removalOf(1)).toBeFocused();
  await removalOf(1).press("Enter");
  const add = form.getByRole("button", { name: "Ajouter un article" });
  await expect(add).toBeFocused();
  await add.press("Enter");
  await expect(
    form.getByRole("group", { name: "Article 1" }).locator("input").first(),
  ).toBeFocused();
});

test("following a link moves the focus to the beginning of the new page", async ({ page }) => {
  await page.goto("/products");
  await page.getByRole("link", { name: "Carnet à pages pointillées" }).press("Enter");
  await expect(page).toHaveURL(/\/product\/\d+/);
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link").first()).toBeFocused();
});

test("loading the last orders moves the focus to them", async ({ page, database }) => {
  const user = await createUser({ db: database });
  const product = await createProduct({ db: database });
  await createOrder({ db: database, user, items: [{ product }] });
  await openSession(page, user);
  await page.route("**/api/my-orders", async (route) => {
    const response = await route.fetch();
    const [order] = await response.json();
    const json = Array.from({ length: 60 }, (_, i) => ({ ...order, id: i + 1, number: `N${i}` }));
    await route.fulfill({ response, json });
  });
  await page.goto("/orders");
  await page.getByRole("button", { name: "Afficher plus de commandes" }).press("Enter");
  await expect(
    page.getByRole("row", { name: /N50/ }).getByRole("button", { name: "Détails" }),
  ).toBeFocused();
  await expect(page.getByRole("button", { name: "Afficher plus de commandes" })).toHaveCount(0);
});

test("each change of a quantity is read out with the total", async ({ page, database }) => {
  const user = await createUser({ db: database });
  const { id } = await createProduct({ db: database, name: "Lampe Aube", priceCents: 4290 });
  const items = [{ productId: id, quantity: 1 }];
  await createCart({ db: database, userId: user.id, items });
  await openSession(page, user);
  await page.setViewportSize({ ...ZOOMED, width: WIDTHS.phone });
  await page.goto("/cart");
  const total = page.getByRole("region", { name: "Récapitulatif" }).locator("[aria-live=polite]");
  const more = page.getByRole("main").getByRole("button", { name: "Un de plus" });
  await expect(more).toHaveAccessibleDescription("Quantité de Lampe Aube");
  for (const [pieces, sum] of [
    [2, "85,80"],
    [3, "128,70"],
  ]) {
    await more.press("Enter");
    await expect
      .poll(async () => plainSpaces((await total.textContent()) ?? ""))
      .toMatch(new RegExp(`^Articles ${pieces}.*${sum} €$`));
  }
  // The message over the page's end does not cover the focused element.
  await expect(page.getByText("Quantité mise à jour")).toBeVisible();
  for (const name of ["Supprimer", "Vider le panier", "Passer la commande"]) {
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name })).toBeFocused();
    expect(await isFocusInSight(page), name).toBe(true);
  }
});
