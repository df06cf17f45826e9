import { expect, test } from "@playwright/test";
import { cardOf, type ProductJson, productTypeOf } from "@/lib/catalogue/rules";

test("a product's kind is known by the shop's word, the format's, or both", () => {
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

test("a card is made of an answer in either format, and holds nothing else of it", () => {
  const card = { ...LAMP, productType: "physical", categoryIds: [3, 5] };
  const categories = [{ id: 5 }, { id: 3 }];
  const answers = [
    { ...LAMP, categories, productType: "physical" as const, vatRate: 20 },
    { ...LAMP, categories, "@type": "PhysicalProduct", "@id": "/api/products/7" },
  ];
  for (const answer of answers) expect(cardOf(answer)).toEqual(card);
});

test("the default category is one of a product's, also where no others are named", () => {
  expect(cardOf({ ...LAMP, "@type": "DigitalProduct" })).toEqual({
    ...LAMP,
    productType: "digital",
    categoryIds: [3],
  });
});
