import { createProduct } from "@/db/factories/catalogue";
import { createCart } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { settled } from "../storefront";

test("dialog and mini-cart can be used at a zoom of 400 %", async ({ page, database: db }) => {
  const user = await createUser({ db });
  const { id: productId } = await createProduct({ db, name: "Lampe Aube" });
  await createCart({ db, userId: user.id, items: [{ productId, quantity: 1 }] });
  await openSession(page, user);
  // A window of 1280 × 1024 pixels is as small as this (WCAG 1.4.10).
  await page.setViewportSize({ width: 320, height: 256 });

  await test.step("the title does not cover the field that has the focus", async () => {
    await page.goto("/profile");
    await page.getByRole("button", { name: "Supprimer définitivement mon compte" }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByLabel("Tapez SUPPRIMER pour confirmer");
    await expect(field).toBeFocused();
    await expect(field).toBeInViewport({ ratio: 1 });
    const title = await dialog.getByRole("heading").locator("..").boundingBox();
    const box = await field.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
  });

  await test.step("the mini-cart shows an item, and is scrolled to its button", async () => {
    await page.goto("/contact");
    await settled(page);
    await page.getByRole("banner").getByRole("link", { name: "Voir le panier" }).first().hover();
    const panel = page.getByRole("region", { name: "Panier" });
    await expect(panel.getByRole("button", { name: "Un de plus" })).toBeInViewport({ ratio: 1 });
    const toCart = panel.getByRole("link", { name: "Aller au panier" });
    await toCart.scrollIntoViewIfNeeded();
    await expect(toCart).toBeInViewport({ ratio: 1 });
  });
});

test("a dialog and a message have an edge in high contrast", async ({ page, database: db }) => {
  await openSession(page, await createUser({ db }));
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/addresses");
  await page.getByRole("button", { name: "Ajouter une adresse" }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toHaveCSS("border-top-width", "1px");
  await dialog.getByLabel("Rue").fill("1 rue de la Paix");
  await dialog.getByLabel("Ville").fill("Paris");
  await dialog.getByLabel("Code postal").fill("75002");
  await dialog.getByRole("button", { name: "Ajouter" }).click();
  const message = page.getByRole("status").filter({ hasText: "Adresse ajoutée avec succès!" });
  await expect(message.locator("> *")).toHaveCSS("border-top-width", "1px");
});
