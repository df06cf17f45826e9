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

/** The printed text, page by page. */
async function printedText(page: Page, { landscape = false } = {}): Promise<string[]> {
  const file = new Uint8Array(await page.pdf({ format: "A4", landscape }));
  return (await extractText(await getDocumentProxy(file), { mergePages: false })).text;
}

test("pages of the shop are printed without elements that only work on a screen", async ({
  page,
  arrange,
}) => {
  const { user, id } = await arrange(async (db) => {
    const user = await createUser({ db });
    const product = await createProduct({ db, name: "Lampe Aube", stock: null });
    await createCart({ db, userId: user.id, items: [{ productId: product.id, quantity: 3 }] });
    const items = [{ product }];
    for (let order = 0; order < 30; order++) await createOrder({ db, user, items });
    return { user, id: product.id };
  });
  await openSession(page, user);
  await test.step("a product, with the shop's name", async () => {
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
  });
  await test.step("the catalogue", async () => {
    await page.goto("/products");
    await expect(page.getByRole("heading", { level: 1, name: "Nos produits" })).toBeVisible();
    await expect(page.getByText("Rechercher", { exact: true }).last()).toBeHidden();
  });
  await test.step("the cart, with its quantities", async () => {
    await page.goto("/cart");
    const quantity = page.getByLabel("Quantité de Lampe Aube");
    await expect(quantity).toHaveValue("3");
    await expect(quantity).toBeVisible();
    for (const name of ["Un de plus", "Supprimer", "Passer la commande"])
      await expect(page.getByRole("button", { name })).toBeHidden();
  });
  await test.step("an order's detail to its end, without the list behind it", async () => {
    await page.emulateMedia({ media: null });
    await page.goto("/orders");
    const details = page.getByRole("button", { name: "Détails" });
    await expect(details).toHaveCount(30);
    expect((await printedText(page)).length).toBeGreaterThan(1);
    await page.setViewportSize({ width: WIDTHS.phone, height: 500 });
    await details.first().click();
    await expect(page.getByRole("dialog").getByText("Lampe Aube")).toBeVisible();
    const [text, ...more] = await printedText(page);
    expect(more).toEqual([]);
    expect(text).toContain("Lampe Aube");
    expect(text).toContain("TVA comprise");
    expect(text).not.toContain("Mes commandes");
  });
});

test("lists, forms and the chart of the back office are printed completely", async ({
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

  await test.step("the chart within its frame", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/backoffice");
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
});
