import type { Metadata } from "next";
import { hasFurtherFilters } from "@/lib/catalogue/filters";
import { getCategory, getTag } from "@/lib/catalogue/labels";
import type { productResource } from "@/lib/catalogue/resource";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { urlOfView } from "@/lib/catalogue/url";
import { siteUrl } from "@/lib/env";
import type { JsonOf } from "@/lib/http/api/resource";
import { centsFromEuros, formatEuros } from "@/lib/money";
import { PAGES, type PagePath } from "@/lib/pages";
import { SHOP_NAME } from "@/lib/shop/shop-name";
import { catalogueTexts, headTexts, type PageTexts } from "./head";
import { cardVersion, PICTURE_HEIGHT, PICTURE_WIDTH } from "./rules";
import * as texts from "./texts";

export type ProductJson = JsonOf<typeof productResource>;

/** A picture for social networks, 1200 × 630; `path` is a path of this shop. */
export interface SharePicture {
  path: string;
  alt: string;
}

const SITE_PICTURE: SharePicture = {
  path: "/og/site",
  alt: `${SHOP_NAME}. ${texts.SHOP_TAGLINE}`,
};

/** Set by the root layout for all pages. It has no URLs, since the build may render it without SITE_URL. */
export const siteMetadata: Metadata = {
  title: SHOP_NAME,
  applicationName: SHOP_NAME,
  formatDetection: { telephone: false, email: false, address: false },
};

/**
 * A page's metadata for search engines and social networks. URLs begin with SITE_URL: call it when the page
 * is rendered (`generateMetadata`), never at module level.
 *
 * @param title the page's own title; the shop's name is appended
 * @param path canonical path with its query, `/products?category=3`; without it (error pages) nothing
 *   depends on SITE_URL
 * @param image default: the shop's own picture
 * @param index false keeps the page out of search engines, which still follow its links
 */
export function pageMetadata(
  page: PageTexts & {
    path?: string | undefined;
    image?: SharePicture | undefined;
    index?: boolean | undefined;
  },
): Metadata {
  const { title, path, image = SITE_PICTURE, index = true } = page;
  const head = headTexts(page);
  const { description } = head;
  const metadata: Metadata = {
    title: { absolute: head.title },
    description,
    keywords: head.keywords,
    robots: index
      ? { index: true, follow: true, "max-image-preview": "large" }
      : { index: false, follow: true },
  };
  if (path === undefined) return metadata;

  const site = siteUrl();
  const url = site + path;
  const picture = { url: `${site}${image.path}`, alt: image.alt };
  return {
    ...metadata,
    metadataBase: new URL(site),
    alternates: { canonical: url },
    openGraph: {
      type: "website",
      locale: "fr_FR",
      siteName: SHOP_NAME,
      title: title ?? SHOP_NAME,
      description,
      url,
      images: [{ ...picture, width: PICTURE_WIDTH, height: PICTURE_HEIGHT, type: "image/jpeg" }],
    },
    twitter: {
      card: "summary_large_image",
      title: title ?? SHOP_NAME,
      description,
      images: [picture],
    },
  };
}

/** The metadata of a page of lib/pages.ts that is the same for all visitors. */
export function metadataOf(path: PagePath): Metadata {
  const { title, isIndexed = false } = PAGES[path];
  const hasOneUrl = !path.includes(":");
  return pageMetadata({
    ...texts.PAGE_TEXTS[path],
    title,
    index: isIndexed,
    ...(hasOneUrl && { path }),
  });
}

/** Without `robots`: Next.js itself adds `noindex` to 404 pages. */
export function notFoundMetadata(): Metadata {
  const { robots: _, ...metadata } = pageMetadata(texts.NOT_FOUND_TEXTS);
  return metadata;
}

/**
 * The metadata of a view of the catalogue. Search engines index the lists of one category, one tag or one
 * product type, and their pages. They only follow links in combinations of these, in further filters, searches, price
 * ranges and sorted lists (docs/decisions/002).
 */
export async function catalogueMetadata(view: CatalogueView): Promise<Metadata> {
  const [category, tag] = await Promise.all([
    view.categoryId === undefined ? null : getCategory(view.categoryId),
    view.tagId === undefined ? null : getTag(view.tagId),
  ]);
  // The page is going to be a 404.
  if ((view.categoryId !== undefined && !category) || (view.tagId !== undefined && !tag))
    return notFoundMetadata();
  const { search, type, minPriceCents, maxPriceCents, priceSort, dateSort, page } = view;
  const lists = [category, tag, type].filter(Boolean);
  return pageMetadata({
    ...catalogueTexts({ category: category?.name, tag: tag?.name, type, search, page }),
    path: urlOfView(view),
    index:
      lists.length <= 1 &&
      !hasFurtherFilters(view) &&
      !search &&
      !priceSort &&
      !dateSort &&
      minPriceCents === undefined &&
      maxPriceCents === undefined,
  });
}

export function productMetadata(product: ProductJson): Metadata {
  const { id, name } = product;
  const price = formatEuros(centsFromEuros(product.price) ?? 0);
  const labels = [product.defaultCategory, ...product.categories, ...product.tags];
  const version = cardVersion({ name, price, image: product.image });
  return pageMetadata({
    title: name,
    description: product.description.trim() || texts.productFallbackDescription(name),
    keywords: [name, ...labels.map((label) => label.name), "acheter en ligne"],
    path: `/product/${id}`,
    image: {
      path: `/og/product/${id}?v=${version}`,
      alt: texts.productPictureText({ name, price }),
    },
  });
}
