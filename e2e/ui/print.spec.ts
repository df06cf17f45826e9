import type { Page } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";
import { createProduct } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { dialogOf, openScreen, rowOf } from "../backoffice";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { settled, WIDTHS } from "../storefront";

// How pages look on paper.

/** The number of pages that the browser prints. */
async function printedPages(page: Page): Promise<number> {
  const { numPages } = await getDocumentProxy(new Uint8Array(await page.pdf({ format: "A4" })));
  return numPages;
}

test("a page is printed with the shop's name, without elements that only work on a screen", async ({
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

test("an order's detail is printed to its end, without the list behind it", async ({
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
  await page.setViewportSize({ width: WIDTHS.phone, height: 500 });
  await details.first().click();
  await expect(page.getByRole("dialog").getByText("Lampe Aube")).toBeVisible();
  expect(await printedPages(page)).toBe(1);
  const [text] = await printedText(page);
  expect(text).toContain("Lampe Aube");
  expect(text).toContain("TVA comprise");
  expect(text).not.toContain("Mes commandes");
});

/** The printed text, page by page. */
async function printedText(page: Page, { landscape = false } = {}): Promise<string[]> {
  const file = new Uint8Array(await page.pdf({ format: "A4", landscape }));
  return (await extractText(await getDocumentProxy(file), { mergePages: false })).text;
}

test("a list of the back office is printed completely, without buttons and filters", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const items = [{ product: await createProduct({ db, name: "Lampe Aube" }) }];
  const numbers: string[] = [];
  for (let order = 0; order < 25; order++)
    numbers.push((await createOrder({ db, user, items })).order.number);
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  const rows = rowOf(page, user.email);
  await expect(rows).toHaveCount(25);
  await page.getByLabel("Tout sélectionner").check();
  for (const landscape of [false, true]) {
    const text = (await printedText(page, { landscape })).join(" ");
    for (const number of numbers) expect(text.split(number), number).toHaveLength(2);
    expect(text).not.toMatch(/Rechercher|sélectionnés|Lignes par page|Actions|Tableau de bord/);
  }
  await page.emulateMedia({ media: "print" });
  for (const name of ["Modifier", "Exporter (CSV)", "Préparer la sélection"])
    await expect(page.getByRole("button", { name }).first()).toBeHidden();
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  // No card is cut by the end of a page.
  await expect(rows.first()).toHaveCSS("break-inside", "avoid");

  await page.emulateMedia({ media: null });
  await rows.first().getByRole("button", { name: "Modifier" }).click();
  await expect(dialogOf(page).getByLabel("Total")).toBeVisible();
  const [form = "", ...more] = await printedText(page);
  expect(form).toContain("Modifier la commande");
  expect(form).toContain("Chemin du PDF de la facture");
  expect(form).not.toMatch(/Gestion des commandes|Annuler/);
  expect(more).toEqual([]);
});

test("the chart of the back office is printed within its frame", async ({ page, database: db }) => {
  const user = await createUser({ db });
  await createOrder({ db, user, items: [{ product: await createProduct({ db }) }] });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openScreen({ page, database: db, path: "/backoffice" });
  const frame = page.getByRole("region", { name: "Évolution des Commandes" });
  const chart = frame.locator(".recharts-wrapper > svg");
  await expect(chart).toBeVisible();
  const screenWidth = Number(await chart.getAttribute("width"));
  await page.emulateMedia({ media: "print" });
  // Measured at once: on paper, nothing tells the chart that it has less room.
  const [inner, outer] = await frame.evaluate((section) => {
    section.style.width = "500px";
    const svg = section.querySelector(".recharts-wrapper > svg");
    return [svg, section].map((each) => each?.getBoundingClientRect());
  });
  expect(screenWidth).toBeGreaterThan(900);
  expect(inner?.right).toBeLessThanOrEqual(outer?.right ?? 0);
  expect(inner?.height).toBeGreaterThan(80);
});
