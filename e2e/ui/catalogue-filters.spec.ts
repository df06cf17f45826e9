import type { Page } from "@playwright/test";
import type { Database } from "@/db";
import { createCategory, createProduct, createTag } from "@/db/factories/catalogue";
import { expectAccessible } from "../axe";
import { expect, test } from "../fixtures";
import { expectNoSidewaysScroll, namesOf, WIDTHS, watchLayoutShifts } from "../storefront";
import { withTableLock } from "../table-lock";

const main = (page: Page) => page.getByRole("main");
const status = (page: Page) => main(page).getByRole("status").filter({ hasText: /\S/ });
const group = (page: Page, name: string) => main(page).locator("summary", { hasText: name });
const remove = (page: Page, name: string) =>
  page.getByRole("button", { name: `Retirer le filtre ${name}`, exact: true });

test.describe("the filters with counts", () => {
  /** A category of four products, for the filters of one test. */
  const arrangeCategory = async (arrange: <T>(write: (db: Database) => Promise<T>) => Promise<T>) =>
    arrange(async (db) => {
      const category = await createCategory({ db, filters: ["Matière"] });
      const [red, blue] = [
        await createTag({ db, name: "Rouge vif" }),
        await createTag({ db, name: "Bleu nuit" }),
      ];
      for (const [name, tagIds, value, stock, ratingSum] of [
        ["Un", [red.id], "Bois", 3, 5],
        ["Deux", [red.id, blue.id], "Bois", 0, 4],
        ["Trois", [blue.id], "Grès", null, 2],
        ["Quatre", [], "Grès", null, 0],
      ] as const)
        await createProduct({
          db,
          name,
          tagIds: [...tagIds],
          defaultCategoryId: category.id,
          characteristics: [{ name: "Matière", value }],
          stock,
          ratingCount: ratingSum === 0 ? 0 : 1,
          ratingSum,
          priceCents: 1500,
        });
      return category.id;
    });

  test("narrow the list, are shown as chips, and are removed again", async ({ page, arrange }) => {
    const id = await arrangeCategory(arrange);
    await page.goto(`/products?category=${id}`);
    await group(page, "Étiquettes").click();
    await page.getByRole("checkbox", { name: /^Rouge vif ?, 2 produits$/ }).check();
    await expect(page).toHaveURL(/tags\.id=\d+/);
    await expect(status(page)).toHaveText("2 produits");
    // Its own group still counts what would be added.
    await page.getByRole("checkbox", { name: /^Bleu nuit ?, 2 produits$/ }).check();
    await expect(page).toHaveURL(/tags%5B%5D=\d+&tags%5B%5D=\d+/);
    await expect(status(page)).toHaveText("3 produits");
    await group(page, "Caractéristiques").click();
    await page.getByRole("checkbox", { name: /^Bois ?, 2 produits$/ }).check();
    await expect(status(page)).toHaveText("2 produits");
    await page.getByRole("checkbox", { name: "En stock" }).check();
    await expect.poll(() => namesOf(page)).toEqual(["Un"]);

    await page.reload();
    expect(await namesOf(page)).toEqual(["Un"]);
    await expect(remove(page, "Bleu nuit")).toBeVisible();
    await remove(page, "En stock").click();
    await expect(status(page)).toHaveText("2 produits");
    await remove(page, "Matière : Bois").click();
    await expect(status(page)).toHaveText("3 produits");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await page.getByRole("button", { name: "Tout effacer" }).click();
    await expect(page).toHaveURL(`/products?category=${id}`);
    await expect(status(page)).toHaveText("4 produits");
    await page.goBack();
    await expect(status(page)).toHaveText("3 produits");
    await expect(remove(page, "Rouge vif")).toBeVisible();
  });

  test("are there before they are counted, and do not move the list when they are", async ({
    page,
    arrange,
    database: db,
    problems,
  }) => {
    const [first, second] = [await arrangeCategory(arrange), await arrangeCategory(arrange)];
    await page.setViewportSize({ width: WIDTHS.tablet, height: 900 });
    const shifts = await watchLayoutShifts(page);
    await withTableLock(db, "label_sizes", async () => {
      await page.goto(`/products?category=${first}`);
      await expect(status(page)).toHaveText("4 produits");
      await group(page, "Caractéristiques").click();
      await expect(page.locator("details[open]")).toContainText("Chargement des choix…");
    });
    await expect(page.getByRole("checkbox", { name: /^Bois ?, 2 produits$/ })).toBeVisible();
    expect(await shifts.list()).toEqual([]);

    problems.allow(500);
    await page.route("**/api/product_facets?*", (route) => route.fulfill({ status: 500 }));
    await withTableLock(db, "label_sizes", async () => {
      await page.goto(`/products?category=${second}`);
      await group(page, "Étiquettes").click();
      await expect(page.locator("details[open]")).toContainText(
        "Les choix n’ont pas pu être chargés.",
      );
    });
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("are a plain form that keeps what was chosen", async ({ page, arrange }) => {
      const id = await arrangeCategory(arrange);
      await page.goto(`/products?category=${id}`);
      await group(page, "Étiquettes").click();
      await page.getByRole("checkbox", { name: /^Bleu nuit/ }).check();
      await page.getByRole("checkbox", { name: "En stock" }).check();
      await page.getByLabel("Prix min").fill("10");
      await page.getByRole("combobox", { name: "Trier par prix" }).selectOption("Croissant");
      await main(page).getByRole("button", { name: "Filtrer", exact: true }).click();
      const chosen = () => Object.fromEntries(new URL(page.url()).searchParams);
      const kept = { category: String(id), min_price: "10", price_sort: "asc" };
      await expect.poll(chosen).toMatchObject({ ...kept, availability: "in_stock" });
      await expect.poll(() => namesOf(page)).toEqual(["Trois"]);
      await remove(page, "Bleu nuit").click();
      await expect(page).not.toHaveURL(/tags/);
      await expect
        .poll(async () => (await namesOf(page)).toSorted())
        .toEqual(["Quatre", "Trois", "Un"]);
      const search = main(page).getByRole("combobox", { name: "Rechercher" });
      await search.fill("quatre");
      await search.press("Enter");
      await expect.poll(chosen).toMatchObject({ ...kept, search: "quatre" });
      await expect.poll(() => namesOf(page)).toEqual(["Quatre"]);
      await page.getByRole("button", { name: "Tout effacer" }).click();
      await expect.poll(chosen).not.toHaveProperty("availability");
      await main(page).getByRole("button", { name: "Tous les produits", exact: true }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nos produits");
    });
  });

  test("are in a sheet on a phone, above a list that begins on the first screen", async ({
    page,
    arrange,
  }) => {
    const id = await arrangeCategory(arrange);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/products");
    const card = main(page).getByRole("article").first();
    expect((await card.boundingBox())?.y).toBeLessThanOrEqual(260);

    await page.goto(`/products?category=${id}`);
    const opener = page.getByRole("button", { name: "Filtres", exact: true });
    await opener.click();
    const sheet = page.getByRole("dialog", { name: "Filtres" });
    await sheet.getByRole("checkbox", { name: /^4 étoiles et plus ?, 2 produits$/ }).check();
    await expect(page).toHaveURL(/min_rating=4/);
    await expectAccessible(page);
    await sheet.getByRole("button", { name: "Voir 2 produits" }).click();
    await expect(sheet).toBeHidden();
    await expect(page.getByRole("button", { name: "Filtres (1)" })).toBeFocused();
    expect((await namesOf(page)).toSorted()).toEqual(["Deux", "Un"]);
    await page.getByRole("button", { name: "Trier" }).click();
    await page
      .getByRole("dialog", { name: "Trier" })
      .getByLabel("Trier par prix")
      .selectOption("asc");
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/price_sort=asc/);
    expect((await card.boundingBox())?.y).toBeLessThanOrEqual(260);

    await page.goto("/products?availability=in_stock&type=physical&min_rating=4&max_price=90");
    await expect(remove(page, "Physique")).toBeVisible();
    const clear = await page.getByRole("button", { name: "Tout effacer" }).boundingBox();
    expect((clear?.x ?? 0) + (clear?.width ?? 360)).toBeLessThanOrEqual(344);
    expect(clear?.height).toBeLessThanOrEqual(32);
  });

  for (const javaScriptEnabled of [true, false])
    test.describe(`with${javaScriptEnabled ? "" : "out"} JavaScript`, () => {
      test.use({ javaScriptEnabled });

      test("the chosen category is in sight, in a row that alone is scrolled", async ({ page }) => {
        await page.setViewportSize({ width: 360, height: 400 });
        const categories = page.getByRole("group", { name: "Catégories" }).getByRole("button");
        const all = categories.first();
        await page.goto("/products");
        expect((await all.boundingBox())?.x).toBe(16);
        const name = (await categories.last().textContent()) ?? "";
        const [id] = await categories.evaluateAll((buttons) =>
          buttons.map((button) => (button as HTMLButtonElement).value).reverse(),
        );
        await page.goto(`/products?category=${id}`);
        const chosen = page.getByRole("button", { name, exact: true, pressed: true });
        await expect(chosen).toBeInViewport({ ratio: 1 });
        await expect(all).not.toBeInViewport();
        expect(await page.evaluate(() => scrollY)).toBe(0);
        if (!javaScriptEnabled) return;
        await chosen.focus();
        for (let left = await categories.count(); left > 1; left--) {
          await page.keyboard.press("Shift+Tab");
          await expect(page.locator(":focus")).toBeInViewport({ ratio: 1 });
        }
      });
    });

  test("are accessible and fit each width, with forty values", async ({ page, arrange }) => {
    const id = await arrange(async (db) => {
      const category = await createCategory({
        db,
        filters: ["Matière", "Un nom de caractéristique assez long pour déborder"],
      });
      for (let i = 0; i < 40; i++)
        await createProduct({
          db,
          name: i === 0 ? "Anticonstitutionnellement ".repeat(9).trim() : `Objet ${i}`,
          defaultCategoryId: category.id,
          tagIds: [(await createTag({ db })).id],
          characteristics: [
            { name: "Matière", value: `Matière numéro ${i} ${"très ".repeat(i % 9)}longue` },
          ],
        });
      return category.id;
    });
    for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/products?category=${id}`);
      const panel = group(page, "Caractéristiques");
      if (await panel.isVisible()) await panel.click();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  });
});

test.describe("suggestions", () => {
  test("are a list that is used by keyboard", async ({ page }) => {
    await page.goto("/contact");
    const box = page.getByRole("banner").getByRole("combobox", { name: "Trouver un produit" });
    await expect(box).toHaveAttribute("aria-expanded", "false");
    await box.pressSequentially("théi");
    const list = page.getByRole("listbox", { name: "Suggestions" });
    const options = list.getByRole("option");
    await expect(options.first()).toContainText("Théière en fonte émaillée");
    await expect(box).toHaveAttribute("aria-expanded", "true");
    await expectAccessible(page);
    await box.press("ArrowDown");
    await expect(options.first()).toHaveAttribute("aria-selected", "true");
    await expect(box).toHaveAttribute(
      "aria-activedescendant",
      (await options.first().getAttribute("id")) ?? "",
    );
    await box.press("ArrowUp");
    await expect(list.getByRole("option", { selected: true })).toHaveCount(0);
    await box.press("ArrowUp");
    await expect(options.last()).toHaveAttribute("aria-selected", "true");
    await box.press("Escape");
    await expect(list).toBeHidden();
    await expect(box).toHaveValue("théi");
    await box.pressSequentially("è");
    await box.press("Backspace");
    await expect(list).toBeVisible();
    await box.press("ArrowDown");
    await box.press("Enter");
    await expect(page).toHaveURL(/\/product\/\d+/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Théière en fonte émaillée");
  });

  test("say how a typing error was understood, and the button searches at once", async ({
    page,
  }) => {
    await page.goto("/products?category=7");
    const box = main(page).getByRole("combobox", { name: "Rechercher" });
    await box.fill("guitare");
    await expect(main(page).getByText("Entrée pour chercher")).toBeVisible();
    await main(page).getByRole("button", { name: "Rechercher", exact: true }).click();
    await expect(page).toHaveURL("/products?search=guitare&category=7");
    await expect(main(page).getByText("Entrée pour chercher")).toBeHidden();
    await main(page).getByRole("button", { name: "Effacer la recherche" }).click();
    await expect(page).toHaveURL("/products?category=7");
    await expect(box).toBeFocused();
    await box.pressSequentially("voilon");
    await expect(page.getByText("Résultats pour « violon »")).toBeVisible();
    await page.getByRole("option", { name: /Violon d’étude/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "Violon d’étude quatre-quarts",
    );
  });

  test("open in the header's panel on a phone, also on the catalogue", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/products");
    await page.getByRole("banner").getByRole("button", { name: "Rechercher" }).click();
    const box = page.locator("#header-search").getByRole("combobox");
    await box.pressSequentially("cuis");
    const option = page.getByRole("option", { name: /Cuisine et thé/ });
    await expect(option).toBeVisible();
    await expectNoSidewaysScroll(page);
    await option.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "Nos produits - Cuisine et thé",
    );
    await expect(page.locator("#header-search")).toBeHidden();
  });
});

test("an address that does not exist is a 404 within the shop, with a search and products", async ({
  page,
  problems,
}) => {
  problems.allow(404);
  for (const path of ["/products?page=99", "/product/999999", "/a/b/c"]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page).toHaveTitle("Page introuvable - Mini Ecommerce");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page introuvable");
  }
  await expect(page.getByRole("banner").getByRole("link", { name: "Nos produits" })).toBeVisible();
  await expect(main(page).getByRole("region", { name: "Les plus vendus" })).toBeVisible();
  await main(page).getByRole("combobox", { name: "Trouver un produit" }).fill("violon");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/products?search=violon");
});
