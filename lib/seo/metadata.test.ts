import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { catalogueTexts, headTexts } from "./head";
import {
  catalogueMetadata,
  metadataOf,
  notFoundMetadata,
  type ProductJson,
  pageMetadata,
  productMetadata,
} from "./metadata";

const SITE = "https://boutique.exemple.fr";

test.beforeEach(() => {
  process.env.SITE_URL = SITE;
  forgetEnv();
});

test.afterEach(() => {
  delete process.env.SITE_URL;
  forgetEnv();
});

test("a page's metadata has its title, canonical URL and picture", () => {
  const metadata = pageMetadata({ title: "Contact", description: "Écrivez.", path: "/contact" });
  expect(metadata.title).toEqual({ absolute: "Contact - Mini Ecommerce" });
  expect(metadata.description).toBe("Écrivez.");
  expect(metadata.alternates).toEqual({ canonical: `${SITE}/contact` });
  expect(metadata.openGraph).toEqual({
    type: "website",
    locale: "fr_FR",
    siteName: "Mini Ecommerce",
    title: "Contact",
    description: "Écrivez.",
    url: `${SITE}/contact`,
    images: [
      {
        url: `${SITE}/og/site`,
        alt: expect.stringContaining("Mini Ecommerce"),
        width: 1200,
        height: 630,
        type: "image/jpeg",
      },
    ],
  });
  expect(metadata.twitter).toMatchObject({ card: "summary_large_image", title: "Contact" });
  expect(metadata.robots).toMatchObject({ index: true, follow: true });
  // The home page's address is the origin with its slash.
  expect(metadataOf("/").alternates).toEqual({ canonical: `${SITE}/` });
});

test("every public page has its own title, description and keywords", async () => {
  const pages = [
    metadataOf("/"),
    metadataOf("/contact"),
    await catalogueMetadata({ page: 1 }),
    await catalogueMetadata({ page: 2 }),
    await catalogueMetadata({ page: 1, search: "thé" }),
  ];
  const texts = pages.flatMap(({ title, description }) => [JSON.stringify(title), description]);
  expect(new Set(texts).size).toBe(texts.length);
  for (const { title, description, keywords } of pages) {
    expect(title).toEqual({ absolute: expect.stringMatching(/\S - Mini Ecommerce$/) });
    expect(description?.length).toBeGreaterThan(40);
    expect(description?.length).toBeLessThanOrEqual(160);
    expect(keywords?.length).toBeGreaterThan(3);
  }
});

test("catalogue views are indexed, but not searches, bounds, sorted copies or further filters", async () => {
  for (const view of [{ page: 1 }, { page: 3 }, { page: 1, type: "digital" as const }])
    expect((await catalogueMetadata(view)).robots).toMatchObject({ index: true });
  for (const view of [
    { search: "thé" },
    { minPriceCents: 0 },
    { maxPriceCents: 1000 },
    { priceSort: "asc" },
    { dateSort: "desc" },
    { minRating: 1 },
    { availability: "in_stock" },
    { tagIds: [1, 2] },
    { characteristics: [{ name: "Matière", values: ["Osier"] }] },
  ] as const)
    expect((await catalogueMetadata({ page: 1, ...view })).robots, JSON.stringify(view)).toEqual({
      index: false,
      follow: true,
    });
  const second = await catalogueMetadata({ page: 2, type: "digital" });
  expect(second.alternates).toEqual({ canonical: `${SITE}/products?type=digital&page=2` });
});

test("every combination of category, tag and kind has texts of its own", () => {
  const none = { category: undefined, tag: undefined, type: undefined, search: undefined, page: 1 };
  const of = (view: Partial<Parameters<typeof catalogueTexts>[0]>) =>
    headTexts(catalogueTexts({ ...none, ...view }));
  const texts = [undefined, "Cuisine"].flatMap((category) =>
    [undefined, "Fait main"].flatMap((tag) =>
      [undefined, "physical" as const, "digital" as const].flatMap((type) =>
        [1, 2].map((page) => of({ category, tag, type, page })),
      ),
    ),
  );
  expect(new Set(texts.map(({ title }) => title)).size).toBe(texts.length);
  expect(new Set(texts.map(({ description }) => description)).size).toBe(texts.length);
  expect(of({ category: "Cuisine", tag: "Fait main", type: "physical", page: 2 })).toMatchObject({
    title: "Nos produits - Cuisine - Fait main - Physique - page 2 - Mini Ecommerce",
    description:
      "Tous les produits physiques de la catégorie « Cuisine » marqués « Fait main » chez Mini Ecommerce : avis de clients, paiement par carte. Page 2.",
  });
  expect(of({ type: "digital" })).toMatchObject({
    title: "Nos produits - Digital - Mini Ecommerce",
    description:
      "Tous les produits numériques chez Mini Ecommerce : avis de clients, paiement par carte.",
  });
  expect(of({ category: "Cuisine" }).title).toBe("Nos produits - Cuisine - Mini Ecommerce");
});

test("a product's metadata has its name, picture and the beginning of its description", () => {
  const product: ProductJson = {
    id: 7,
    productType: "digital",
    name: "Le ciel à l'œil nu",
    description: `Reconnaître\nles constellations. ${"Une carte par mois. ".repeat(20)}`,
    price: 12.5,
    vatRate: 5.5,
    image: "ciel.webp",
    images: [{ url: "ciel.webp", alt: "" }],
    sku: null,
    gtin: null,
    brand: null,
    status: "active",
    defaultCategory: { id: 3, name: "Livres", color: "#112233" },
    categoryId: 3,
    categories: [{ id: 3, name: "Livres", color: "#112233" }],
    tags: [{ id: 9, name: "Nouveau", color: "#445566" }],
    characteristics: null,
    filesize: 1200,
    filetype: "PDF",
    availability: "unlimited",
    stock: null,
    avgRating: null,
    reviewsCount: 0,
    sales_count: 0,
    createdAt: null,
  };
  const metadata = productMetadata(product);
  expect(metadata.title).toEqual({ absolute: "Le ciel à l'œil nu - Mini Ecommerce" });
  expect(metadata.description).toMatch(/^Reconnaître les constellations\. .*…$/);
  expect(metadata.description?.length).toBeLessThanOrEqual(160);
  expect(metadata.keywords).toEqual(
    expect.arrayContaining(["Le ciel à l'œil nu", "Livres", "Nouveau"]),
  );
  expect(metadata.alternates).toEqual({ canonical: `${SITE}/product/7` });
  expect(metadata.openGraph?.images).toEqual([
    expect.objectContaining({
      url: expect.stringMatching(`^${SITE}/og/product/7\\?v=[\\w-]{12}$`),
      alt: "Le ciel à l'œil nu, 12,50\u00a0€, chez Mini Ecommerce",
    }),
  ]);

  const bare = productMetadata({ ...product, description: " " });
  expect(bare.description).toContain("Le ciel à l'œil nu");
});

test("personal pages are not indexed; an error page has no canonical URL", () => {
  expect(metadataOf("/login")).toMatchObject({
    title: { absolute: "Connexion - Mini Ecommerce" },
    robots: { index: false },
  });
  const missing = notFoundMetadata();
  expect(missing.title).toEqual({ absolute: "Page introuvable - Mini Ecommerce" });
  expect(JSON.stringify(missing)).not.toContain(SITE);
});
