import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import {
  breadcrumbJsonLd,
  itemListJsonLd,
  jsonLdText,
  organizationJsonLd,
  productJsonLd,
  webSiteJsonLd,
} from "./json-ld";

const product: Parameters<typeof productJsonLd>[0]["product"] = {
  id: 7,
  productType: "physical",
  name: "Théière en fonte émaillée",
  description: "Une théière.",
  price: 42.9,
  vatRate: 20,
  image: "theiere.webp",
  images: [{ url: "theiere.webp", alt: "" }],
  sku: null,
  gtin: null,
  brand: null,
  status: "active",
  defaultCategory: { id: 3, name: "Cuisine", color: "#112233" },
  categoryId: 3,
  categories: [],
  tags: [],
  characteristics: { Contenance: "1,2 l" },
  filesize: null,
  filetype: null,
  availability: "unlimited",
  stock: null,
  avgRating: 4.333333,
  reviewsCount: 3,
  sales_count: 12,
  createdAt: null,
};

const review = (id: number, rating = 5) => ({
  id,
  rating,
  content: "Elle garde le thé au chaud.",
  publishedAt: "2026-03-01T10:00:00.000Z",
  purchasedAt: "2026-02-20T10:00:00.000Z",
  author: "Camille D.",
});

test.beforeEach(() => {
  process.env.SITE_URL = "https://boutique.exemple.fr";
  forgetEnv();
});

test.afterEach(() => {
  delete process.env.SITE_URL;
  forgetEnv();
});

/** The data that a search engine reads. */
const dataOf = (options: Partial<Parameters<typeof productJsonLd>[0]> = {}) =>
  JSON.parse(jsonLdText(productJsonLd({ product, reviews: [], ...options })));

test("no text can close the script element, and the data is parsed unchanged", () => {
  const name = `</script><script>alert(1)</script><!-- & "x" \u2028\u2029 ]]>`;
  const text = jsonLdText(productJsonLd({ product: { ...product, name }, reviews: [] }));
  expect(text).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(text)).toEqual({ ...dataOf(), name });
});

test("a product's data has its price with two decimals, and its availability", () => {
  expect(dataOf()).toMatchObject({
    "@context": "https://schema.org",
    "@type": "Product",
    name: "Théière en fonte émaillée",
    url: "https://boutique.exemple.fr/product/7",
    image: "https://boutique.exemple.fr/images/theiere.webp",
    category: "Cuisine",
    sku: "7",
    additionalProperty: [{ "@type": "PropertyValue", name: "Contenance", value: "1,2 l" }],
    offers: {
      "@type": "Offer",
      price: "42.90",
      priceCurrency: "EUR",
      availability: "https://schema.org/InStock",
      itemCondition: "https://schema.org/NewCondition",
      url: "https://boutique.exemple.fr/product/7",
    },
  });
});

test("rating and reviews stand only where reviews exist, at most five of them", () => {
  const { aggregateRating, review: shown } = dataOf({
    reviews: [1, 2, 3, 4, 5, 6, 7].map((id) => review(id)),
  });
  expect(aggregateRating).toEqual({
    "@type": "AggregateRating",
    ratingValue: 4.33,
    reviewCount: 3,
    bestRating: 5,
    worstRating: 1,
  });
  expect(shown).toHaveLength(5);
  expect(shown[0]).toMatchObject({
    "@type": "Review",
    author: { "@type": "Person", name: "Camille D." },
    datePublished: "2026-03-01T10:00:00.000Z",
    reviewRating: { ratingValue: 5 },
  });
  const unrated = dataOf({ product: { ...product, avgRating: null, reviewsCount: 0 } });
  expect(unrated).not.toHaveProperty("aggregateRating");
  expect(unrated).not.toHaveProperty("review");
  // Search engines refuse a rating below the scale.
  const only = { ...product, avgRating: 0, reviewsCount: 1 };
  expect(dataOf({ product: only, reviews: [review(1, 0)] })).not.toHaveProperty("aggregateRating");
  expect(dataOf({ reviews: [review(1, 0), review(2, 4)] }).review).toHaveLength(1);
});

test("a product has absolute picture URLs, the placeholder's if necessary", () => {
  const imageOf = (...urls: string[]) =>
    dataOf({ product: { ...product, images: urls.map((url) => ({ url, alt: "" })) } }).image;
  expect(imageOf("https://cdn.exemple.fr/a.jpg")).toBe("https://cdn.exemple.fr/a.jpg");
  expect(imageOf("/images/a b.jpg")).toBe("https://boutique.exemple.fr/images/a%20b.jpg");
  expect(imageOf("a.webp", "/images/b.webp", "http://[")).toEqual([
    "https://boutique.exemple.fr/images/a.webp",
    "https://boutique.exemple.fr/images/b.webp",
  ]);
  for (const images of [[], [""], ["http://["]])
    expect(imageOf(...images)).toBe("https://boutique.exemple.fr/images/placeholder.webp");
});

test("a product's data has its references and its brand", () => {
  const references = { sku: "CUI-1", gtin: "4006381333931" };
  expect(dataOf({ product: { ...product, ...references, brand: "Fonte & Cie" } })).toMatchObject({
    ...references,
    brand: { "@type": "Brand", name: "Fonte & Cie" },
  });
  for (const field of ["gtin", "brand"]) expect(dataOf()).not.toHaveProperty(field);
});

test("an offer says what shipping costs, how long it takes, and what may be returned", () => {
  const shipping = [
    { priceCents: 590, delay: "2 à 3 jours ouvrés" },
    { priceCents: 0, delay: "" },
  ];
  const { offers } = dataOf({ shipping });
  expect(offers.shippingDetails).toEqual([
    {
      "@type": "OfferShippingDetails",
      shippingRate: { "@type": "MonetaryAmount", value: "5.90", currency: "EUR" },
      shippingDestination: { "@type": "DefinedRegion", addressCountry: "FR" },
      deliveryTime: {
        "@type": "ShippingDeliveryTime",
        handlingTime: { "@type": "QuantitativeValue", minValue: 0, maxValue: 0, unitCode: "DAY" },
        transitTime: { "@type": "QuantitativeValue", minValue: 2, maxValue: 3, unitCode: "DAY" },
      },
    },
    {
      "@type": "OfferShippingDetails",
      shippingRate: { "@type": "MonetaryAmount", value: "0.00", currency: "EUR" },
      shippingDestination: { "@type": "DefinedRegion", addressCountry: "FR" },
    },
  ]);
  expect(offers.hasMerchantReturnPolicy).toMatchObject({
    applicableCountry: "FR",
    returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
    merchantReturnDays: 14,
  });
  const { offers: file } = dataOf({ product: { ...product, productType: "digital" } });
  expect(file).not.toHaveProperty("shippingDetails");
  expect(file.hasMerchantReturnPolicy).toMatchObject({
    returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
  });
});

test("lists are numbered through their pages, breadcrumbs from one, with absolute URLs", () => {
  const products = [
    { id: 7, name: "Théière" },
    { id: 3, name: "Bol" },
  ];
  expect(itemListJsonLd({ products, first: 25 })).toMatchObject({
    "@type": "ItemList",
    itemListElement: [
      { position: 25, name: "Théière", url: "https://boutique.exemple.fr/product/7" },
      { position: 26, name: "Bol", url: "https://boutique.exemple.fr/product/3" },
    ],
  });
  const crumbs = [{ label: "Cuisine", href: "/products?category=3" }, { label: "Théière" }];
  const item = "https://boutique.exemple.fr/";
  expect(breadcrumbJsonLd(crumbs)).toEqual({
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: [
      { "@type": "ListItem", position: 1, name: "Accueil", item },
      { "@type": "ListItem", position: 2, name: "Cuisine", item: `${item}products?category=3` },
      { "@type": "ListItem", position: 3, name: "Théière" },
    ],
  });
});

test("the site's data describes its search and its publisher", () => {
  expect(webSiteJsonLd()).toMatchObject({
    "@type": "WebSite",
    name: "Mini Ecommerce",
    potentialAction: {
      "@type": "SearchAction",
      target: {
        urlTemplate: "https://boutique.exemple.fr/products?search={search_term_string}",
      },
      "query-input": "required name=search_term_string",
    },
  });
  expect(organizationJsonLd()).toMatchObject({
    name: "Mini Ecommerce",
    url: "https://boutique.exemple.fr/",
    logo: "https://boutique.exemple.fr/icons/icon-512.png",
  });
});
