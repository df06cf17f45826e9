import type { Page } from "@playwright/test";
import { createProduct } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { confirmDialogOf, dialogOf, openScreen, rowOf, unique } from "../backoffice";
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

/** Opens a menu by keyboard, and expects that it closes when the focus goes on behind its last link. */
async function expectMenuCloses(page: Page, id: string): Promise<void> {
  await page.locator(`button[popovertarget=${id}]`).first().press("Enter");
  const panel = page.locator(`#${id}`);
  await expect(panel).toBeVisible();
  await panel.locator("a, button").last().focus();
  await expect(panel).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(panel).toBeHidden();
  expect(await isFocusInSight(page)).toBe(true);
}

test("the focus is in sight in menus, dialogs and tables", async ({ page, database }) => {
  await page.setViewportSize(ZOOMED);
  await openScreen({ page, database, path: "/backoffice/products" });

  await test.step("a menu closes when the focus leaves it", () =>
    expectMenuCloses(page, "backoffice-menu"));

  await test.step("a dialog can be used in a zoomed window", async () => {
    await page.getByRole("button", { name: "Modifier" }).first().click();
    const name = dialogOf(page).getByLabel("Nom", { exact: true });
    await expect(name).toBeFocused();
    await expect(name).toBeInViewport({ ratio: 1 });
    const save = dialogOf(page).getByRole("button", { name: "Enregistrer" });
    await save.focus();
    await expect(save).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await expect(dialogOf(page)).toBeHidden();
  });

  await test.step("nothing covers an element of a table that gets the focus", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole("button", { name: "Supprimer" }).nth(15).focus();
    const hidden: string[] = [];
    for (let i = 0; i < 50; i++) {
      await page.keyboard.press("Shift+Tab");
      if (!(await isFocusInSight(page)))
        hidden.push(await focused(page).evaluate((element) => element.outerHTML.slice(0, 100)));
    }
    expect(hidden).toEqual([]);
  });
});

test("a list's buttons name their row, and the focus stays in it", async ({ page, database }) => {
  const name = unique("Bol");
  for (let i = 10; i <= 20; i++) await createProduct({ db: database, name: `${name} n° ${i}` });
  await openScreen({ page, database, path: `/backoffice/products?search=${name}&itemsPerPage=10` });
  const all = page.getByLabel("Tout sélectionner");
  const selected = page.getByLabel(/^Sélectionner/);

  await test.step("the buttons of a row, and the confirmation of its deletion", async () => {
    const blue = rowOf(page, `${name} n° 20`);
    for (const control of [
      ...["Stock", "Modifier", "Historique", "Supprimer"].map((label) =>
        blue.getByRole("button", { name: label }),
      ),
      blue.getByRole("link", { name: "Voir" }),
      blue.getByRole("checkbox"),
    ])
      await expect(control).toHaveAccessibleDescription(`${name} n° 20`);
    await blue.getByRole("button", { name: "Supprimer" }).click();
    const question = new RegExp(`^${name} n° 20`);
    await expect(confirmDialogOf(page)).toHaveAccessibleDescription(question);
    await page.keyboard.press("Escape");
    await blue.getByRole("checkbox").check();
    await expect(all).toBeChecked({ indeterminate: true });
    await all.check();
    await expect(all).not.toBeChecked({ indeterminate: true });
    await page.getByRole("button", { name: "Supprimer la sélection" }).click();
    for (const number of [19, 20])
      await expect(confirmDialogOf(page)).toContainText(`${name} n° ${number}`);
    await page.keyboard.press("Escape");
    await all.uncheck();
  });

  await test.step("the focus on the last page, and when the selection is cleared", async () => {
    const release = await holdRequests(page, /[?&]page=2&/);
    await page.getByRole("link", { name: "Page suivante" }).press("Enter");
    await expect(page.getByRole("link", { name: "Page 2" })).toBeFocused();
    // The first page's rows are still shown, and must not be selected.
    await expect(all).toBeDisabled();
    await expect(selected.first()).toBeDisabled();
    release();
    await expect(page.getByText("11–11 sur 11")).toBeVisible();
    await all.check();
    await expect(selected).toHaveCount(1);
    await expect(selected).toBeChecked();
    await page.getByRole("button", { name: "Tout désélectionner" }).press("Enter");
    await expect(page.getByRole("region", { name: /^Gestion/ })).toBeFocused();
  });
});

test("the focus goes to an item's neighbour, or to a new item", async ({ page, database }) => {
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

test("the focus leaves a menu, and follows a link to the new page", async ({ page }) => {
  await page.setViewportSize(ZOOMED);
  await page.goto("/contact");
  await expectMenuCloses(page, "header-menu");

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/products");
  await page.getByRole("link", { name: "Carnet à pages pointillées" }).press("Enter");
  await expect(page).toHaveURL(/\/product\/\d+/);
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link").first()).toBeFocused();
});

test("loaded orders get the focus, a quantity is read out", async ({ page, database: db }) => {
  const user = await createUser({ db });
  const product = await createProduct({ db, name: "Lampe Aube", priceCents: 4290 });
  await createOrder({ db, user, items: [{ product }] });
  await createCart({ db, userId: user.id, items: [{ productId: product.id, quantity: 1 }] });
  await openSession(page, user);

  await test.step("the last orders", async () => {
    await page.route("**/api/my-orders", async (route) => {
      const response = await route.fetch();
      const [order] = await response.json();
      const json = Array.from({ length: 60 }, (_, i) => ({ ...order, id: i + 1, number: `N${i}` }));
      await route.fulfill({ response, json });
    });
    await page.goto("/orders");
    const more = page.getByRole("button", { name: "Afficher plus de commandes" });
    await more.press("Enter");
    const first = page.getByRole("row", { name: /N50/ });
    await expect(first.getByRole("button", { name: "Détails" })).toBeFocused();
    await expect(more).toHaveCount(0);
  });

  await test.step("each quantity with the total", async () => {
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
});
