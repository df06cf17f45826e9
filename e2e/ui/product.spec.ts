import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { expect, test } from "../fixtures";
import { plainSpaces } from "../storefront";

test("a product shows all of its data, and leads back to its category", async ({
  page,
  arrange,
}) => {
  const { product, file, category, other, foreign, tag } = await arrange(async (db) => {
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
    const foreign = await createCategory({ db, name: "Loin d'ici" });
    const data = { type: "digital", fileSizeKb: 1_234_000, fileType: "EPUB" } as const;
    return { product, file: await createProduct({ db, ...data }), category, other, foreign, tag };
  });
  const main = page.getByRole("main");
  const details = async () => (await main.locator("dd").allTextContents()).map(plainSpaces);
  const crumbs = page.getByRole("navigation", { name: /^Fil d['’]Ariane$/ });
  const linkTo = (name: string) => crumbs.getByRole("link", { name });

  await page.goto(`/product/${product.id}`);
  await expect(page).toHaveTitle("Arrosoir « Rosée » - Mini Ecommerce");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Arrosoir « Rosée »");
  await expect(main.getByText("1\u202f234,50\u00a0€")).toBeVisible();
  await expect(main.getByText(/Il verse en pluie fine\./)).toBeVisible();
  const picture = main.getByRole("img", { name: "Arrosoir « Rosée »" });
  // One that is not square is shown whole.
  await expect(picture).toHaveCSS("object-fit", "contain");
  const { width = 0, height = 1 } = (await picture.boundingBox()) ?? {};
  expect(Math.abs(width - height)).toBeLessThan(1);
  await expect(main.getByRole("link", { name: "Inusable" })).toHaveAttribute(
    "href",
    `/products?tags.id=${tag.id}`,
  );
  expect(await main.locator("dt").allTextContents()).toEqual(["Contenance", "Matière"]);
  expect(await details()).toEqual(["10 litres", "Zinc"]);
  await expect(main.getByText("Aucun avis pour le moment.")).toBeVisible();
  const links = await crumbs
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
  expect(links.slice(0, 3)).toEqual([
    ["Accueil", "/"],
    ["Produits", "/products"],
    ["Arrosage", `/products?category=${category.id}`],
  ]);
  await expect(crumbs).toContainText("Arrosoir « Rosée »");

  await test.step("from a category that it is not in, to its default one", async () => {
    for (const query of [foreign.id, "<b>"]) {
      await page.goto(`/product/${product.id}?category=${encodeURIComponent(query)}`);
      await expect(linkTo("Arrosage")).toBeVisible();
      await expect(page.getByText("Loin d'ici")).toBeHidden();
    }
  });
  await test.step("from another of its categories, to that one", async () => {
    await page.goto(`/product/${product.id}?category=${other.id}`);
    await linkTo("Balcon fleuri").click();
    await expect(page).toHaveURL(`/products?category=${other.id}`);
    await expect(main.getByRole("heading", { level: 1 })).toHaveText(
      "Nos produits - Balcon fleuri",
    );
  });
  await test.step("a file shows its size and its type", async () => {
    await page.goto(`/product/${file.id}`);
    await expect(page.getByText(/^EPUB, 1\s234\sMo$/)).toBeVisible();
    expect(await details()).toEqual(["1 234 Mo", "EPUB"]);
  });
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
});
