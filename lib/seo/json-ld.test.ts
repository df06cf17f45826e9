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

test("no text can close the script element, and the data is parsed unchanged", () => {
  const name = `</script><script>alert(1)</script><!-- & "x" \u2028\u2029 ]]>`;
  const data = productJsonLd({ product: { ...product, name }, reviews: [] });
  const text = jsonLdText(data);
  expect(text).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(data)));
  expect(JSON.parse(text).name).toBe(name);
});

test("a product's data has its price with two decimals, and its availability", () => {
  const data = productJsonLd({ product, reviews: [] });
  expect(data).toMatchObject({
    "@context": "https://schema.org",
    "@type": "Product",
    name: "Théière en fonte émaillée",
    url: "https://boutique.exemple.fr/product/7",
    image: "https://boutique.exemple.fr/images/theiere.webp",
    category: "Cuisine",
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
  const reviews = [1, 2, 3, 4, 5, 6, 7].map((id) => review(id));
  const rated = jsonLdText(productJsonLd({ product, reviews }));
  expect(JSON.parse(rated).aggregateRating).toEqual({
    "@type": "AggregateRating",
    ratingValue: 4.33,
    reviewCount: 3,
    bestRating: 5,
    worstRating: 1,
  });
  expect(JSON.parse(rated).review).toHaveLength(5);
  expect(JSON.parse(rated).review[0]).toMatchObject({
    "@type": "Review",
    author: { "@type": "Person", name: "Camille D." },
    datePublished: "2026-03-01T10:00:00.000Z",
    reviewRating: { ratingValue: 5 },
  });

  const unrated = productJsonLd({
    product: { ...product, avgRating: null, reviewsCount: 0 },
    reviews: [],
  });
  expect(unrated).not.toHaveProperty("aggregateRating");
  expect(unrated).not.toHaveProperty("review");
});

test("a rating below the scale, which search engines refuse, is left away", () => {
  const only = { ...product, avgRating: 0, reviewsCount: 1 };
  expect(productJsonLd({ product: only, reviews: [review(1, 0)] })).not.toHaveProperty(
    "aggregateRating",
  );
  const mixed = JSON.parse(
    jsonLdText(productJsonLd({ product, reviews: [review(1, 0), review(2, 4)] })),
  );
  expect(mixed.review.map((one: { reviewBody: string }) => one.reviewBody)).toHaveLength(1);
});

test("a product always has an absolute picture URL, the placeholder's if necessary", () => {
  const imageOf = (image: string | null) => {
    const images = image === null ? [] : [{ url: image, alt: "" }];
    return JSON.parse(jsonLdText(productJsonLd({ product: { ...product, images }, reviews: [] })))
      .image;
  };
  expect(imageOf("https://cdn.exemple.fr/a.jpg")).toBe("https://cdn.exemple.fr/a.jpg");
  expect(imageOf("/images/a b.jpg")).toBe("https://boutique.exemple.fr/images/a%20b.jpg");
  const neutral = "https://boutique.exemple.fr/images/placeholder.webp";
  for (const image of [null, "", "http://["]) expect(imageOf(image), String(image)).toBe(neutral);
});

test("a product's data has all its pictures, its references and its brand", () => {
  const images = ["a.webp", "/images/b.webp", "http://["].map((url) => ({ url, alt: "" }));
  const described = {
    ...product,
    images,
    sku: "CUI-1",
    gtin: "4006381333931",
    brand: "Fonte & Cie",
  };
  expect(productJsonLd({ product: described, reviews: [] })).toMatchObject({
    image: [
      "https://boutique.exemple.fr/images/a.webp",
      "https://boutique.exemple.fr/images/b.webp",
    ],
    sku: "CUI-1",
    gtin: "4006381333931",
    brand: { "@type": "Brand", name: "Fonte & Cie" },
  });
  const plain = productJsonLd({ product, reviews: [] });
  expect(plain).toMatchObject({ sku: "7" });
  for (const field of ["gtin", "brand"]) expect(plain).not.toHaveProperty(field);
});

test("an offer says what shipping costs, how long it takes, and what may be returned", () => {
  const offersOf = (options: Partial<Parameters<typeof productJsonLd>[0]>) =>
    JSON.parse(jsonLdText(productJsonLd({ product, reviews: [], ...options }))).offers;
  const shipping = [
    { priceCents: 590, delay: "2 à 3 jours ouvrés" },
    { priceCents: 0, delay: "" },
  ];
  const offer = offersOf({ shipping });
  expect(offer.shippingDetails).toEqual([
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
  expect(offer.hasMerchantReturnPolicy).toMatchObject({
    applicableCountry: "FR",
    returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
    merchantReturnDays: 14,
  });
  const file = offersOf({ product: { ...product, productType: "digital" } });
  expect(file).not.toHaveProperty("shippingDetails");
  expect(file.hasMerchantReturnPolicy).toMatchObject({
    returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
  });
});

test("the products of a list are numbered through its pages", () => {
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
});

test("a breadcrumb is numbered from one and has absolute URLs", () => {
  const data = breadcrumbJsonLd([
    { label: "Cuisine", href: "/products?category=3" },
    { label: "Théière" },
  ]);
  expect(data).toEqual({
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: [
      {
        "@type": "ListItem",
        position: 1,
        name: "Accueil",
        item: "https://boutique.exemple.fr/",
      },
      {
        "@type": "ListItem",
        position: 2,
        name: "Cuisine",
        item: "https://boutique.exemple.fr/products?category=3",
      },
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
