import { expect, test } from "@playwright/test";
import {
  cardOf,
  formatFileSize,
  type ProductJson,
  productTypeOf,
  productUrl,
  refilter,
} from "@/lib/catalogue/rules";

test("a product's kind is read from productType, @type or both", () => {
  for (const kind of [
    { productType: "physical" },
    { "@type": "PhysicalProduct" },
    { "@type": "https://exemple.fr/#PhysicalProduct" },
    { productType: "physical", "@type": "PhysicalProduct" },
  ] as const)
    expect(productTypeOf(kind)).toBe("physical");
  for (const kind of [{ productType: "digital" }, { "@type": "DigitalProduct" }, {}] as const)
    expect(productTypeOf(kind)).toBe("digital");
});

const LAMP = {
  id: 7,
  name: "Lampe Aube",
  description: "Une lampe.",
  price: 42.9,
  image: "lampe.webp",
  categoryId: 3,
  avgRating: 4.3,
  reviewsCount: 12,
  createdAt: "2026-01-01T00:00:00+00:00",
} satisfies ProductJson;

test("a card is made of JSON or JSON-LD, and contains only its own fields", () => {
  const card = { ...LAMP, overline: "", productType: "physical", categoryIds: [3, 5] };
  const categories = [{ id: 5 }, { id: 3 }];
  const answers = [
    { ...LAMP, categories, productType: "physical" as const, vatRate: 20 },
    { ...LAMP, categories, "@type": "PhysicalProduct", "@id": "/api/products/7" },
  ];
  for (const answer of answers) expect(cardOf(answer)).toEqual(card);
});

test("above the name stands the category of an object, and the file of a digital product", () => {
  const overlineOf = (more: Partial<ProductJson>) =>
    cardOf({ ...LAMP, defaultCategory: { id: 3, name: "Maison" }, ...more }).overline;
  expect(overlineOf({ productType: "physical", filetype: null, filesize: null })).toBe("Maison");
  expect(overlineOf({ filetype: "PDF", filesize: 3200 })).toBe("PDF · 3,2\u00a0Mo");
  expect(overlineOf({ filetype: "PDF", filesize: null })).toBe("PDF");
  expect(overlineOf({ filetype: "", filesize: null })).toBe("Maison");
  expect(overlineOf({ defaultCategory: null })).toBe("");
});

test("a response without optional fields makes a card with default values", () => {
  const least = { id: 7, name: "Lampe Aube", price: 42.9 };
  const card = {
    ...least,
    overline: "",
    description: "",
    image: null,
    productType: "digital",
    categoryId: null,
    categoryIds: [],
    avgRating: null,
    reviewsCount: 0,
    createdAt: null,
  };
  expect(cardOf(least)).toEqual(card);
  expect(cardOf({ ...least, categoryId: 3 })).toMatchObject({ categoryId: 3, categoryIds: [3] });
  expect(cardOf({ ...least, defaultCategory: { id: 3 }, categories: [{ id: 5 }] })).toEqual({
    ...card,
    categoryId: 3,
    categoryIds: [3, 5],
  });
  expect(productUrl(cardOf(least))).toBe("/product/7");
  expect(productUrl(cardOf(LAMP))).toBe("/product/7?category=3");
});

test.describe("the filtered products of a page", () => {
  const day = (text: string) => `${text}T00:00:00+00:00`;
  const products = (
    [
      [1, "Lampe", "physical", 20, day("2026-02-01")],
      [4, "Bol", "digital", 10, null],
      [3, "Tasse à thé", "physical", 10, day("2026-01-01")],
      [2, "Vase", "digital", 30, day("2026-01-01")],
      [5, "Plat", "physical", 10, day("2026-02-01")],
    ] as const
  ).map(([id, name, productType, price, createdAt]) =>
    cardOf({ ...LAMP, id, name, productType, price, createdAt, categoryId: id % 2 }),
  );
  const namesIn = (view: Partial<Parameters<typeof refilter>[1]>) =>
    refilter(products, { page: 1, ...view }).map(({ name }) => name);
  test("match the filters, and are sorted, equal ones in the loaded order", () => {
    const all = ["Lampe", "Bol", "Tasse à thé", "Vase", "Plat"];
    for (const [view, names] of [
      [{}, all],
      [{ type: "digital" }, ["Bol", "Vase"]],
      [{ categoryId: 0 }, ["Bol", "Vase"]],
      [{ minPriceCents: 1001, maxPriceCents: 3000 }, ["Lampe", "Vase"]],
      [{ search: "THE tasse" }, ["Tasse à thé"]],
      [{ search: "une lampe" }, all],
      [{ priceSort: "asc" }, ["Bol", "Tasse à thé", "Plat", "Lampe", "Vase"]],
      [{ priceSort: "desc" }, ["Vase", "Lampe", "Bol", "Tasse à thé", "Plat"]],
      [{ dateSort: "asc" }, ["Tasse à thé", "Vase", "Lampe", "Plat", "Bol"]],
      [{ dateSort: "desc" }, ["Bol", "Lampe", "Plat", "Tasse à thé", "Vase"]],
      [{ priceSort: "asc", dateSort: "desc" }, ["Bol", "Plat", "Tasse à thé", "Lampe", "Vase"]],
    ] as const)
      expect(namesIn(view), JSON.stringify(view)).toEqual(names);
  });
});

test("a file's size is shown in Mo, and never as 0 Mo", () => {
  const sizes = [1500, 1000, 250, 10, 9, 1].map(formatFileSize);
  expect(sizes).toEqual(
    ["1,5", "1", "0,25", "0,01", "0,009", "0,001"].map((size) => `${size}\u00a0Mo`),
  );
});
