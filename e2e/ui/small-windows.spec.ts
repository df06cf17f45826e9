import type { Page } from "@playwright/test";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { doubleText, expectNoSidewaysScroll, settled, WIDTHS } from "../storefront";

// Windows as small as zooming in by 400 % leaves them (WCAG 1.4.10), large text, and high contrast.

const ZOOMED = { width: 320, height: 256 };

/** Logs in a customer whose cart holds one piece. Returns the product's id. */
async function openSessionWithCart({ page, db }: { page: Page; db: Database }): Promise<number> {
  const user = await createUser({ db });
  const { id } = await createProduct({ db, name: "Lampe Aube" });
  await createCart({ db, userId: user.id, items: [{ productId: id, quantity: 1 }] });
  await openSession(page, user);
  return id;
}

test("the title of a dialog does not cover the field that has the focus", async ({
  page,
  database: db,
}) => {
  await openSession(page, await createUser({ db }));
  await page.setViewportSize(ZOOMED);
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

test("the mini-cart shows an item, and is scrolled to its button", async ({
  page,
  database: db,
}) => {
  await openSessionWithCart({ page, db });
  await page.setViewportSize(ZOOMED);
  await page.goto("/contact");
  await settled(page);
  await page.getByRole("banner").getByRole("link", { name: "Voir le panier" }).first().hover();
  const panel = page.getByRole("region", { name: "Panier" });
  const plus = panel.getByRole("button", { name: "Un de plus" });
  await expect(plus).toBeInViewport({ ratio: 1 });
  await panel.getByRole("link", { name: "Aller au panier" }).scrollIntoViewIfNeeded();
  await expect(panel.getByRole("link", { name: "Aller au panier" })).toBeInViewport({ ratio: 1 });
});

test("text of twice the size on a phone breaks no word and cuts no name", async ({
  page,
  database: db,
}) => {
  await openSession(page, await createUser({ db }));
  await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
  for (const path of ["/orders", "/account"]) {
    await page.goto(path);
    await settled(page);
    await doubleText(page);
    // A word has more than one box if it is broken.
    const broken = await page.evaluate(() => {
      const words: string[] = [];
      for (const element of document.querySelectorAll("h1, main .text-heading, header a > span")) {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const node = walker.currentNode;
          for (const { 0: word, index } of (node.textContent ?? "").matchAll(/\S+/g)) {
            const range = new Range();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (range.getClientRects().length > 1) words.push(word);
          }
        }
      }
      return words;
    });
    expect(broken).toEqual([]);
    await expectNoSidewaysScroll(page);
    await expect(page.getByRole("button", { name: "Menu" })).toBeInViewport({ ratio: 1 });
    const name = page.getByRole("banner").getByText("Mini Ecommerce", { exact: true });
    expect(await name.evaluate((span) => span.scrollWidth - span.clientWidth)).toBeLessThan(1);
  }
});

test("the cart's items and the product's button fit with text of twice the size", async ({
  page,
  database: db,
}) => {
  const id = await openSessionWithCart({ page, db });
  for (const path of ["/cart", `/product/${id}`])
    for (const width of [WIDTHS.phone, WIDTHS.tablet]) {
      await page.setViewportSize({ width, height: 740 });
      await page.goto(path);
      await expect(page.getByLabel("Quantité").first()).toBeVisible();
      await doubleText(page);
      await expectNoSidewaysScroll(page);
    }
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
