import type { Page } from "@playwright/test";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { ADDED, LOGIN_TO_ADD } from "@/lib/cart/addition-texts";
import { expectAccessible } from "../axe";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { WIDTHS } from "../storefront";

// The round button on the cards of a list.

const button = (page: Page, name: string) =>
  page.getByRole("article").filter({ hasText: name }).getByRole("button", { name: "Ajout rapide" });

test("a card adds one piece, and the list stays", async ({ page, database: db }) => {
  const { name } = await createProduct({ db, name: "Bougeoir nacré rapide" });
  await openSession(page, await createUser({ db }));
  await page.goto(`/products?search=${encodeURIComponent(name)}`);
  const add = button(page, name);
  // Shown for the keyboard; tabbing goes from the link to it.
  await page.getByRole("main").getByRole("link", { name, exact: true }).focus();
  await page.keyboard.press("Tab");
  await expect(add).toBeFocused();
  await expect(add).toHaveAccessibleDescription(name);
  await expect(add).toHaveCSS("opacity", "1");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name });
  const toCart = dialog.getByRole("link", { name: "Aller au panier" });
  await expect(dialog.getByText(ADDED)).toBeVisible();
  await expect(toCart).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Continuer mes achats" }).click();
  await expect(dialog).toBeHidden();
  await expect(add).toBeFocused();
  await add.click();
  await toCart.click();
  await expect(page).toHaveURL("/cart");
  await expect(page.getByLabel(`Quantité de ${name}`)).toHaveValue("2");
});

test.describe("on a phone", () => {
  const viewport = { width: WIDTHS.phone, height: 740 };
  test.use({ viewport, hasTouch: true, isMobile: true });

  test("a visitor's addition waits for the login; sold-out products have no button", async ({
    page,
    database: db,
  }) => {
    const wanted = await createProduct({ db, name: "Bougeoir laiton attendu", stock: 3 });
    const gone = await createProduct({ db, name: "Bougeoir laiton épuisé", stock: 0 });
    await page.goto("/products?search=bougeoir+laiton");
    await expect(button(page, gone.name)).toHaveCount(0);
    await expect(button(page, wanted.name)).toHaveCSS("opacity", "1");
    await button(page, wanted.name).tap();
    const dialog = page.getByRole("dialog", { name: wanted.name });
    await expect(dialog.getByText(LOGIN_TO_ADD)).toBeVisible();
    await expect(dialog.getByRole("link", { name: "Se connecter" })).toHaveAttribute(
      "href",
      "/login?retour=/products",
    );
    expect(await page.evaluate(() => localStorage.getItem("pendingAdd"))).toContain(
      `"productId":${wanted.id},"quantity":1`,
    );
  });
});
