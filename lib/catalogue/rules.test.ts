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
  expect(productTypeOf({ productType: "physical" })).toBe("physical");
  expect(productTypeOf({ productType: "digital" })).toBe("digital");
  expect(productTypeOf({ "@type": "PhysicalProduct" })).toBe("physical");
  expect(productTypeOf({ "@type": "DigitalProduct" })).toBe("digital");
  expect(productTypeOf({ "@type": "https://exemple.fr/#PhysicalProduct" })).toBe("physical");
  expect(productTypeOf({ productType: "physical", "@type": "PhysicalProduct" })).toBe("physical");
  expect(productTypeOf({})).toBe("digital");
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

test("the default category is one of the product's categories, even if no others are sent", () => {
  expect(cardOf({ ...LAMP, "@type": "DigitalProduct" })).toEqual({
    ...LAMP,
    overline: "",
    productType: "digital",
    categoryIds: [3],
  });
});

test("a response without optional fields makes a card with default values", () => {
  const card = {
    id: 7,
    name: "Lampe Aube",
    overline: "",
    description: "",
    price: 42.9,
    image: null,
    productType: "digital",
    categoryId: null,
    categoryIds: [],
    avgRating: null,
    reviewsCount: 0,
    createdAt: null,
  };
  const least = { id: 7, name: "Lampe Aube", price: 42.9 };
  expect(cardOf(least)).toEqual(card);
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
  const all = ["Lampe", "Bol", "Tasse à thé", "Vase", "Plat"];

  test("match the filters", () => {
    expect(namesIn({})).toEqual(all);
    expect(namesIn({ type: "digital" })).toEqual(["Bol", "Vase"]);
    expect(namesIn({ categoryId: 0 })).toEqual(["Bol", "Vase"]);
    expect(namesIn({ minPriceCents: 1001, maxPriceCents: 3000 })).toEqual(["Lampe", "Vase"]);
    expect(namesIn({ search: "THE tasse" })).toEqual(["Tasse à thé"]);
    expect(namesIn({ search: "une lampe" })).toEqual(all);
  });

  test("are sorted, equal ones in the loaded order", () => {
    expect(namesIn({ priceSort: "asc" })).toEqual(["Bol", "Tasse à thé", "Plat", "Lampe", "Vase"]);
    expect(namesIn({ priceSort: "desc" })).toEqual(["Vase", "Lampe", "Bol", "Tasse à thé", "Plat"]);
    expect(namesIn({ dateSort: "asc" })).toEqual(["Tasse à thé", "Vase", "Lampe", "Plat", "Bol"]);
    expect(namesIn({ dateSort: "desc" })).toEqual(["Bol", "Lampe", "Plat", "Tasse à thé", "Vase"]);
    expect(namesIn({ priceSort: "asc", dateSort: "desc" })).toEqual([
      "Bol",
      "Plat",
      "Tasse à thé",
      "Lampe",
      "Vase",
    ]);
  });
});

test("a file's size is shown in Mo, and never as 0 Mo", () => {
  expect([1500, 1000, 250, 10, 9, 1].map(formatFileSize)).toEqual([
    "1,5\u00a0Mo",
    "1\u00a0Mo",
    "0,25\u00a0Mo",
    "0,01\u00a0Mo",
    "0,009\u00a0Mo",
    "0,001\u00a0Mo",
  ]);
});
