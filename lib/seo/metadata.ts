import type { Metadata } from "next";
import { getCategory, getTag } from "@/lib/catalogue/labels";
import type { productResource } from "@/lib/catalogue/resource";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { urlOfView } from "@/lib/catalogue/url";
import { siteUrl } from "@/lib/env";
import type { JsonOf } from "@/lib/http/api/resource";
import { centsFromEuros, formatEuros } from "@/lib/money";
import { PAGES, type PagePath } from "@/lib/pages";
import { SHOP_NAME } from "@/lib/shop-name";
import { catalogueTexts, headTexts, type PageTexts } from "./head";
import { cardVersion, PICTURE_HEIGHT, PICTURE_WIDTH } from "./rules";
import * as texts from "./texts";

export type ProductJson = JsonOf<typeof productResource>;

/** A picture for social networks: a path of this shop, 1200 × 630. */
export interface SharePicture {
  path: string;
  alt: string;
}

const SITE_PICTURE: SharePicture = {
  path: "/og/site",
  alt: `${SHOP_NAME}. ${texts.SHOP_TAGLINE}`,
};

/** Set by the root layout for all pages. Without URLs, since the build may render it. */
export const siteMetadata: Metadata = {
  title: SHOP_NAME,
  applicationName: SHOP_NAME,
  formatDetection: { telephone: false, email: false, address: false },
};

/**
 * Everything that search engines and social networks read of one page. URLs begin with SITE_URL, so call it where the page is rendered (`generateMetadata`), never at module level.
 *
 * @param title the page's own; the shop's name is added to it
 * @param path canonical path with its query, `/products?category=3`; where it is not given (error
 *   pages) nothing depends on SITE_URL
 * @param image the shop's own picture, if not given
 * @param index false keeps the page out of search engines; its links are followed all the same
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

/** A page of lib/pages.ts that is the same for everybody. */
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

/** Next.js itself keeps what is 404 out of search engines. */
export function notFoundMetadata(): Metadata {
  const { robots: _, ...metadata } = pageMetadata(texts.NOT_FOUND_TEXTS);
  return metadata;
}

/** Shown in place of any page, of which search engines keep what they know. */
export const unavailableMetadata = () => pageMetadata({ ...texts.UNAVAILABLE_TEXTS, index: false });

/**
 * A view of the catalogue. Categories, tags, kinds and their pages may be found; what several of these have
 * in common, searches, price bounds and sorted copies of the same list may be followed only.
 */
export async function catalogueMetadata(view: CatalogueView): Promise<Metadata> {
  const [category, tag] = await Promise.all([
    view.categoryId === undefined ? null : getCategory(view.categoryId),
    view.tagId === undefined ? null : getTag(view.tagId),
  ]);
  // The page will be a 404.
  if ((view.categoryId !== undefined && !category) || (view.tagId !== undefined && !tag))
    return notFoundMetadata();
  const { search, type, minPriceCents, maxPriceCents, priceSort, dateSort, page } = view;
  const lists = [category, tag, type].filter(Boolean);
  return pageMetadata({
    ...catalogueTexts({ category: category?.name, tag: tag?.name, type, search, page }),
    path: urlOfView(view),
    index:
      lists.length <= 1 &&
      !search &&
      !priceSort &&
      !dateSort &&
      minPriceCents === undefined &&
      maxPriceCents === undefined,
  });
}

/** A product's page. */
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
