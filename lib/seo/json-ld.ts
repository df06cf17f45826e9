import type {
  AggregateRating,
  BreadcrumbList,
  ItemList,
  MerchantReturnPolicy,
  OfferShippingDetails,
  Organization,
  Product,
  Review,
  SearchAction,
  Thing,
  WebSite,
  WithActionConstraints,
  WithContext,
} from "schema-dts";
import { imageUrl } from "@/lib/catalogue/rules";
import { siteUrl } from "@/lib/env";
import type { PublishedReview } from "@/lib/reviews/rules";
import type { ProductType } from "@/lib/shop/product-type";
import { SHOP_NAME } from "@/lib/shop/shop-name";
import type { Availability } from "@/lib/stock/rules";
import type { ProductJson } from "./metadata";
import { type ShippingOffer, workingDaysIn } from "./rules";
import { SHOP_DESCRIPTION } from "./texts";

/** Maximum number of reviews in the structured data; the page shows all reviews. */
const QUOTED_REVIEWS = 5;

/** Ratings are 1 to 5 stars; an administrator may store 0, which search engines reject. */
const WORST_RATING = 1;
const SCALE = { worstRating: WORST_RATING, bestRating: 5 };

const CONTEXT = "https://schema.org";

const ESCAPES: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/**
 * Structured data as the text of a script element. Characters of product names and reviews that could end
 * the element, begin a comment or be read as a character reference are escaped.
 */
export function jsonLdText(data: WithContext<Thing>): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => ESCAPES[character] ?? "",
  );
}

/** Undefined if an administrator typed an invalid URL. */
export function absoluteUrl(url: string): string | undefined {
  const site = siteUrl();
  return URL.canParse(url, site) ? new URL(url, site).href : undefined;
}

const organizationId = () => `${siteUrl()}/#organization`;

export function organizationJsonLd(): WithContext<Organization> {
  const site = siteUrl();
  return {
    "@context": CONTEXT,
    "@type": "OnlineStore",
    "@id": organizationId(),
    name: SHOP_NAME,
    description: SHOP_DESCRIPTION,
    url: `${site}/`,
    logo: `${site}/icons/icon-512.png`,
    contactPoint: {
      "@type": "ContactPoint",
      contactType: "customer service",
      url: `${site}/contact`,
      availableLanguage: "fr",
    },
  };
}

/** The site, and the URL of its search. */
export function webSiteJsonLd(): WithContext<WebSite> {
  const site = siteUrl();
  const search: WithActionConstraints<SearchAction> = {
    "@type": "SearchAction",
    target: {
      "@type": "EntryPoint",
      urlTemplate: `${site}/products?search={search_term_string}`,
    },
    "query-input": "required name=search_term_string",
  };
  return {
    "@context": CONTEXT,
    "@type": "WebSite",
    "@id": `${site}/#website`,
    name: SHOP_NAME,
    url: `${site}/`,
    inLanguage: "fr",
    publisher: { "@id": organizationId() },
    potentialAction: search,
  };
}

/** The path from the home page to a page; the last crumb, the page itself, needs no URL. */
export function breadcrumbJsonLd(
  crumbs: readonly { label: string; href?: string | undefined }[],
): WithContext<BreadcrumbList> {
  return {
    "@context": CONTEXT,
    "@type": "BreadcrumbList",
    itemListElement: [{ label: "Accueil", href: "/" }, ...crumbs].map(({ label, href }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: label,
      ...(href !== undefined && { item: absoluteUrl(href) }),
    })),
  };
}

/** The products of one page of a list, numbered through all pages. */
export function itemListJsonLd({
  products,
  first,
}: {
  products: readonly { id: number; name: string }[];
  /** The number of the page's first product, from 1. */
  first: number;
}): WithContext<ItemList> {
  const site = siteUrl();
  return {
    "@context": CONTEXT,
    "@type": "ItemList",
    itemListElement: products.map(({ id, name }, index) => ({
      "@type": "ListItem",
      position: first + index,
      name,
      url: `${site}/product/${id}`,
    })),
  };
}

/**
 * A product with its offer, and its rating and latest reviews if there are any.
 *
 * @param reviews validated reviews, most recent first; only the first ones are included
 * @param shipping what each method to mainland France asks for one piece
 */
export function productJsonLd({
  product,
  reviews,
  shipping = [],
}: {
  product: ProductJson;
  reviews: readonly PublishedReview[];
  shipping?: readonly ShippingOffer[];
}): WithContext<Product> {
  const site = siteUrl();
  const url = `${site}/product/${product.id}`;
  // Search engines require a picture.
  const [picture = "", ...pictures] = imageUrls(product.images);
  const rating = aggregateRating(product);
  const quoted = reviews
    .filter((review) => review.rating >= WORST_RATING)
    .slice(0, QUOTED_REVIEWS)
    .map(reviewJsonLd);
  return {
    "@context": CONTEXT,
    "@type": "Product",
    "@id": `${url}#product`,
    name: product.name,
    description: product.description,
    sku: product.sku ?? String(product.id),
    ...(product.gtin && { gtin: product.gtin }),
    ...(product.brand && { brand: { "@type": "Brand" as const, name: product.brand } }),
    url,
    category: product.defaultCategory.name,
    image: pictures.length === 0 ? picture : [picture, ...pictures],
    ...(product.characteristics && {
      additionalProperty: Object.entries(product.characteristics).map(([name, value]) => ({
        "@type": "PropertyValue" as const,
        name,
        value,
      })),
    }),
    offers: {
      "@type": "Offer",
      url,
      price: product.price.toFixed(2),
      priceCurrency: "EUR",
      availability: AVAILABILITY[product.availability],
      itemCondition: "https://schema.org/NewCondition",
      seller: { "@id": organizationId() },
      ...(shipping.length > 0 && { shippingDetails: shipping.map(shippingDetails) }),
      hasMerchantReturnPolicy: returnPolicy(product.productType),
    },
    ...(rating && { aggregateRating: rating }),
    ...(rating && quoted.length > 0 && { review: quoted }),
  };
}

/** Absolute URLs of a product's pictures, or of the picture that stands for them: search engines require one. */
export function imageUrls(images: readonly { url: string }[]): string[] {
  const urls = images.flatMap(({ url }) => absoluteUrl(imageUrl(url)) ?? []);
  return urls.length > 0 ? urls : [absoluteUrl(imageUrl(null)) ?? ""];
}

function shippingDetails({ priceCents, delay }: ShippingOffer): OfferShippingDetails {
  const days = workingDaysIn(delay);
  return {
    "@type": "OfferShippingDetails",
    shippingRate: {
      "@type": "MonetaryAmount",
      value: (priceCents / 100).toFixed(2),
      currency: "EUR",
    },
    shippingDestination: { "@type": "DefinedRegion", addressCountry: "FR" },
    // The delay that buyers read counts from the order: handling is part of it.
    ...(days && {
      deliveryTime: {
        "@type": "ShippingDeliveryTime" as const,
        handlingTime: { "@type": "QuantitativeValue" as const, ...NO_DAYS },
        transitTime: {
          "@type": "QuantitativeValue" as const,
          minValue: days.min,
          maxValue: days.max,
          unitCode: "DAY",
        },
      },
    }),
  };
}

const NO_DAYS = { minValue: 0, maxValue: 0, unitCode: "DAY" };

/**
 * What French law lets a consumer return: an object within 14 days, at the consumer's cost; no file, once it may be
 * downloaded.
 */
function returnPolicy(type: ProductType): MerchantReturnPolicy {
  const policy = { "@type": "MerchantReturnPolicy", applicableCountry: "FR" } as const;
  return type === "digital"
    ? {
        ...policy,
        returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
      }
    : {
        ...policy,
        returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
        merchantReturnDays: 14,
        returnMethod: "https://schema.org/ReturnByMail",
        returnFees: "https://schema.org/ReturnFeesCustomerResponsibility",
      };
}

const AVAILABILITY = {
  unlimited: "https://schema.org/InStock",
  in_stock: "https://schema.org/InStock",
  low: "https://schema.org/LimitedAvailability",
  sold_out: "https://schema.org/OutOfStock",
} as const satisfies Record<Availability, string>;

function aggregateRating({ avgRating, reviewsCount }: ProductJson): AggregateRating | null {
  if (avgRating === null || reviewsCount === 0 || avgRating < WORST_RATING) return null;
  return {
    "@type": "AggregateRating",
    ratingValue: Math.round(avgRating * 100) / 100,
    reviewCount: reviewsCount,
    ...SCALE,
  };
}

function reviewJsonLd(review: PublishedReview): Review {
  return {
    "@type": "Review",
    author: { "@type": "Person", name: review.author },
    datePublished: review.publishedAt,
    reviewBody: review.content,
    reviewRating: {
      "@type": "Rating",
      ratingValue: review.rating,
      ...SCALE,
    },
  };
}
