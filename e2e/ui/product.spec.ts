import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { expect, test } from "../fixtures";
import { plainSpaces } from "../storefront";

test("a physical product shows all of its data", async ({ page, arrange }) => {
  const { product, category, other, tag } = await arrange(async (db) => {
    const category = await createCategory({ db, name: "Arrosage" });
    const other = await createCategory({ db, name: "Balcon fleuri" });
    const tag = await createTag({ db, name: "Inusable" });
    const product = await createProduct({
      db,
      name: "Arrosoir « Rosée »",
      description: "Il verse en pluie fine.\nEt ne goutte pas.",
      priceCents: 123_450,
      categoryIds: [category.id, other.id],
      tagIds: [tag.id],
      characteristics: [
        { name: "Contenance", value: "10 litres" },
        { name: "Matière", value: "Zinc" },
      ],
    });
    return { product, category, other, tag };
  });
  await page.goto(`/product/${product.id}`);
  await expect(page).toHaveTitle("Arrosoir « Rosée » - Mini Ecommerce");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Arrosoir « Rosée »");
  await expect(main.getByText("1\u202f234,50\u00a0€")).toBeVisible();
  await expect(main.getByText(/Il verse en pluie fine\./)).toBeVisible();
  await expect(main.getByRole("img", { name: "Arrosoir « Rosée »" })).toBeVisible();
  await expect(main.getByRole("link", { name: "Inusable" })).toHaveAttribute(
    "href",
    `/products?tags.id=${tag.id}`,
  );
  const terms = await main.locator("dt").allTextContents();
  const details = await main.locator("dd").allTextContents();
  expect([terms, details]).toEqual([
    ["Contenance", "Matière"],
    ["10 litres", "Zinc"],
  ]);
  await expect(main.getByText("Aucun avis pour le moment.")).toBeVisible();

  const crumbs = page
    .getByRole("navigation", { name: "Fil d'Ariane" })
    .or(page.getByRole("navigation", { name: "Fil d’Ariane" }));
  const links = await crumbs
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
  expect(links.slice(0, 3)).toEqual([
    ["Accueil", "/"],
    ["Produits", "/products"],
    ["Arrosage", `/products?category=${category.id}`],
  ]);
  await expect(crumbs).toContainText("Arrosoir « Rosée »");

  await page.goto(`/product/${product.id}?category=${other.id}`);
  const wayBack = crumbs.getByRole("link", { name: "Balcon fleuri" });
  await expect(wayBack).toHaveAttribute("href", `/products?category=${other.id}`);
  await wayBack.click();
  await expect(page).toHaveURL(`/products?category=${other.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nos produits - Balcon fleuri");
});

test("the link back ignores a category that the product is not in", async ({ page, arrange }) => {
  const { product, category } = await arrange(async (db) => {
    const category = await createCategory({ db, name: "Loin d'ici" });
    return { product: await createProduct({ db, name: "Objet" }), category };
  });
  for (const query of [category.id, "<b>"]) {
    await page.goto(`/product/${product.id}?category=${encodeURIComponent(query)}`);
    await expect(page.getByRole("link", { name: /^Catégorie / }).first()).toHaveAttribute(
      "href",
      `/products?category=${product.defaultCategoryId}`,
    );
    await expect(page.getByText("Loin d'ici")).toBeHidden();
  }
});

test("a file shows its size and its type", async ({ page, arrange }) => {
  const product = await arrange((db) =>
    createProduct({ db, type: "digital", fileSizeKb: 1_234_000, fileType: "EPUB" }),
  );
  await page.goto(`/product/${product.id}`);
  const details = await page.getByRole("main").locator("dd").allTextContents();
  expect(details.map(plainSpaces)).toEqual(["1 234 Mo", "EPUB"]);
  await expect(page.getByText(/^EPUB, 1\s234\sMo$/)).toBeVisible();
});

test("a name and a description cannot break out of the page", async ({ page, arrange }) => {
  const name = `</script><img src=x onerror="window.broken=1"><b>&amp;`;
  const product = await arrange((db) =>
    createProduct({
      db,
      name,
      description: `${name}<!--`,
      characteristics: [{ name, value: name }],
    }),
  );
  for (const path of [
    `/product/${product.id}`,
    `/products?category=${product.defaultCategoryId}`,
  ]) {
    await page.goto(path);
    await expect(page.getByText(name).first()).toBeVisible();
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
  }
});

test("a picture that is not square is shown whole, on the page and in lists", async ({
  page,
  arrange,
}) => {
  const { id } = await arrange((db) => createProduct({ db, name: "Vase haut et mince" }));
  for (const [path, name] of [
    [`/product/${id}`, "Vase haut et mince"],
    ["/products?search=Vase+haut+et+mince", ""],
  ] as const) {
    await page.goto(path);
    const picture = page.getByRole("main").locator(`img[alt="${name}"]`).first();
    await expect(picture).toHaveCSS("object-fit", "contain");
    const { width = 0, height = 1 } = (await picture.boundingBox()) ?? {};
    expect(Math.abs(width - height)).toBeLessThan(1);
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a product is complete, its reviews unfold, and its links lead on", async ({
    page,
    arrange,
  }) => {
    const product = await arrange(async (db) => {
      const product = await createProduct({ db, name: "Nichoir", priceCents: 2450 });
      for (let i = 1; i <= 6; i++) {
        const { id: userId } = await createUser({ db });
        await createReview({ db, productId: product.id, userId, content: `Le numéro ${i} parle.` });
      }
      return product;
    });
    await page.goto(`/product/${product.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nichoir");
    await expect(page.getByText("L’ajout au panier a besoin de JavaScript.")).toBeVisible();
    await expect(page.getByText("24,50\u00a0€")).toBeVisible();
    await expect(page.getByRole("img", { name: "Nichoir" })).toBeVisible();
    await expect(page.getByText(/parle\./).filter({ visible: true })).toHaveCount(6);
    await expect(page.getByRole("button", { name: /Voir plus/ })).toHaveCount(0);
    await page.getByRole("link", { name: "Produits", exact: true }).click();
    await expect(page).toHaveURL("/products");
  });

  test("an unknown path is a complete page", async ({ page, problems }) => {
    problems.allow(404);
    const response = await page.goto("/rien");
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page introuvable");
    await page.getByRole("main").getByRole("link", { name: "Parcourir le catalogue" }).click();
    await expect(page).toHaveURL("/products");
  });
});
