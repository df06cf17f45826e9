import type { Page } from "@playwright/test";
import { getDocumentProxy } from "unpdf";
import { createProduct } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { settled } from "../storefront";

// What pages look like on paper.

/** The number of pages that the browser prints. */
async function printedPages(page: Page): Promise<number> {
  const { numPages } = await getDocumentProxy(new Uint8Array(await page.pdf({ format: "A4" })));
  return numPages;
}

test("a page is printed with the shop's name, and without what only a screen can do", async ({
  page,
  arrange,
}) => {
  const { id } = await arrange((db) => createProduct({ db, name: "Lampe Aube", stock: null }));
  await page.goto(`/product/${id}`);
  await settled(page);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1, name: "Lampe Aube" })).toBeVisible();
  await expect(page.getByRole("banner").getByText("Mini Ecommerce")).toBeVisible();
  for (const gone of [
    page.getByRole("navigation", { name: "Navigation principale" }),
    page.getByRole("contentinfo"),
    page.getByRole("link", { name: "Aller au contenu" }),
    page.getByRole("button", { name: "Ajouter au panier" }),
  ])
    await expect(gone).toBeHidden();

  await page.goto("/products");
  await expect(page.getByRole("heading", { level: 1, name: "Nos produits" })).toBeVisible();
  await expect(page.getByText("Rechercher", { exact: true }).last()).toBeHidden();
});

test("a printed cart keeps its quantities", async ({ page, database: db }) => {
  const user = await createUser({ db });
  const { id } = await createProduct({ db, name: "Lampe Aube" });
  await createCart({ db, userId: user.id, items: [{ productId: id, quantity: 3 }] });
  await openSession(page, user);
  await page.goto("/cart");
  await expect(page.getByLabel("Quantité de Lampe Aube")).toHaveValue("3");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByLabel("Quantité de Lampe Aube")).toBeVisible();
  for (const name of ["Un de plus", "Supprimer", "Passer la commande"])
    await expect(page.getByRole("button", { name })).toBeHidden();
});

test("an order's detail is printed without empty pages for the list behind it", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const items = [{ product: await createProduct({ db, name: "Lampe Aube" }) }];
  for (let order = 0; order < 30; order++) await createOrder({ db, user, items });
  await openSession(page, user);
  await page.goto("/orders");
  const details = page.getByRole("button", { name: "Détails" });
  await expect(details).toHaveCount(30);
  expect(await printedPages(page)).toBeGreaterThan(1);
  await details.first().click();
  await expect(page.getByRole("dialog").getByText("Lampe Aube")).toBeVisible();
  expect(await printedPages(page)).toBe(1);
});
