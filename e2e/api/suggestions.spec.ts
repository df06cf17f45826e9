import { createCategory, createProduct } from "@/db/factories/catalogue";
import type { Suggestions } from "@/lib/catalogue/suggestion-schemas";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";

const NOTHING = { products: [], categories: [], corrected: null };

const suggestionsFor = async (api: Api, text: string) =>
  (await api.get<Suggestions>(`/api/suggestions?q=${encodeURIComponent(text)}`)).json;

test("products and categories are suggested from two characters on", async ({ api, arrange }) => {
  const category = await arrange(async (db) => {
    const category = await createCategory({ db, name: "Xylgloubs et zébulons" });
    for (let i = 0; i < 8; i++)
      await createProduct({
        db,
        name: `Xylgloub numéro ${i}`,
        priceCents: 1000 + i,
        salesCount: i,
        defaultCategoryId: category.id,
        ...(i === 7 && { stock: 0 }),
      });
    await createProduct({ db, name: "Xylgloub à venir", status: "draft", salesCount: 99 });
    return category;
  });
  expect(await suggestionsFor(api, "x")).toEqual(NOTHING);
  expect(await suggestionsFor(api, "  x ")).toEqual(NOTHING);
  for (const typed of ["xy", "xylg", "XYLGLOUB", " xÿlgloub  "]) {
    const { products, categories, corrected } = await suggestionsFor(api, typed);
    expect(
      products.map(({ name }) => name),
      typed,
    ).toEqual([7, 6, 5, 4, 3, 2].map((i) => `Xylgloub numéro ${i}`));
    expect(categories, typed).toEqual([{ id: category.id, name: "Xylgloubs et zébulons" }]);
    expect(corrected, typed).toBeNull();
  }
  const { products } = await suggestionsFor(api, "xylgloub");
  expect(products[0]).toEqual({
    id: expect.any(Number),
    name: "Xylgloub numéro 7",
    image: "placeholder.webp",
    price: 10.07,
    availability: "sold_out",
  });
});

test("a typing error is understood, and said", async ({ api }) => {
  const { products, corrected } = await suggestionsFor(api, "voilon");
  expect(corrected).toBe("violon");
  expect(products.map(({ name }) => name.replace(/[\u00a0\u202f]/g, " "))).toEqual([
    "Violon d’étude quatre-quarts",
  ]);
  // As the shop writes it, with its accents.
  expect((await suggestionsFor(api, "teiere en fonte")).corrected).toBe("théière en fonte");
});

test("a reference suggests its product, and counts for filters", async ({ api, arrange }) => {
  const { id } = await arrange((db) => createProduct({ db, sku: "ZK-1742/b" }));
  const { products } = await suggestionsFor(api, "zk 1742 B");
  expect(products.map((product) => product.id)).toEqual([id]);
  const facets = await api.get<{ types: unknown }>("/api/product_facets?search=zk-1742/b");
  expect(facets.json.types).toEqual([{ value: "physical", count: 1 }]);
});

test("a text without a match has no products, but perhaps similar words", async ({ api }) => {
  const { near, ...others } = await suggestionsFor(api, "guitarissimo");
  expect(others).toEqual(NOTHING);
  expect(near).toContain("guitare");
  for (const text of ["%%", "' or 98765=98765 --", "\u{1f98a}\u{1f98a}", "a".repeat(300), "<>"])
    expect((await suggestionsFor(api, text)).products, text).toEqual([]);
});

test("they may be kept for a minute, and are limited by network", async ({ limited }) => {
  const { headers, status } = await limited.api.get("/api/suggestions?q=lampe");
  expect(status).toBe(200);
  expect(headers["cache-control"]).toBe("public, max-age=60");
  const answers = await Promise.all(
    Array.from({ length: 600 }, () => limited.api.get("/api/suggestions?q=lampe")),
  );
  expect(answers.at(-1)?.status).toBe(429);
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(599);
});
