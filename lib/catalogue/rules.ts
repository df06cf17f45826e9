import { centsFromEuros } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import type { ProductType } from "@/lib/shop/product-type";
import type { Availability, Available } from "@/lib/stock/rules";
import { normalise } from "@/lib/text/normalise";
import type { CatalogueView, SortDirection } from "./schemas";

/** Products on one page of the catalogue. */
export const CATALOGUE_PAGE_SIZE = 24;

/** Most pictures of a product, the first one included. */
export const MAX_IMAGES = 12;

/** On sale, or seen by staff alone. */
export const PRODUCT_STATUSES = ["active", "draft"] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];
export const PRODUCT_STATUS_LABELS: Record<ProductStatus, string> = {
  active: "En vente",
  draft: "Brouillon",
};

/** A category or a tag. */
export type CatalogueLabel = { id: number; name: string; color: string };

/** The fields of a product's JSON for cards and filters. */
export type CardProduct = {
  id: number;
  name: string;
  /** The line above the name: the file of a digital product, "PDF · 3,2 Mo", else the default category. */
  overline: string;
  description: string;
  /** Euros. */
  price: number;
  image: string | null;
  productType: ProductType;
  /** The id of the default category. */
  categoryId: number | null;
  /** Ids of all categories, including the default one. */
  categoryIds: number[];
  avgRating: number | null;
  reviewsCount: number;
  createdAt: string | null;
  /** Missing where pieces are not counted. */
  availability?: Availability | undefined;
  /** Present only where few pieces are left. */
  stock?: number | undefined;
};

/** A product's type in the API: the field, the JSON-LD class, or both. */
interface KindJson {
  productType?: ProductType | undefined;
  /** Contains "PhysicalProduct" or "DigitalProduct". */
  "@type"?: string | undefined;
}

/** Physical or digital; digital where the type is missing. */
export const productTypeOf = ({ productType, "@type": type = "" }: KindJson): ProductType =>
  productType ?? (type.includes("PhysicalProduct") ? "physical" : "digital");

/** A product in a response; optional fields may be missing. */
export type ProductJson = KindJson &
  Pick<CardProduct, "id" | "name" | "price"> &
  Partial<
    Pick<
      CardProduct,
      "description" | "image" | "categoryId" | "avgRating" | "reviewsCount" | "createdAt"
    >
  > &
  Available & {
    defaultCategory?: { id: number; name?: string } | null;
    filetype?: string | null;
    /** Ko. */
    filesize?: number | null;
    categories?: readonly { id: number }[];
  };

/** The fields that cards need: pages embed them, so they are kept few. */
export function cardOf(product: ProductJson): CardProduct {
  const { id, name, price, categories = [] } = product;
  const categoryId = product.categoryId ?? product.defaultCategory?.id ?? null;
  const ids = categories.map((label) => label.id);
  return {
    id,
    name,
    overline: overlineOf(product),
    description: product.description ?? "",
    price,
    image: product.image ?? null,
    productType: productTypeOf(product),
    categoryId,
    categoryIds: [...new Set(categoryId === null ? ids : [categoryId, ...ids])],
    avgRating: product.avgRating ?? null,
    reviewsCount: product.reviewsCount ?? 0,
    createdAt: product.createdAt ?? null,
    ...(product.availability &&
      product.availability !== "unlimited" && { availability: product.availability }),
    ...(typeof product.stock === "number" && { stock: product.stock }),
  };
}

function overlineOf({ filetype, filesize, defaultCategory }: ProductJson): string {
  const file = [filetype, filesize ? formatFileSize(filesize) : null].filter(Boolean);
  return file.length > 0 ? file.join(" · ") : (defaultCategory?.name ?? "");
}

/**
 * The products of a loaded page that match a view, sorted by price, then by date. Ties keep the loaded order,
 * since the server sorts by dates with fractions of a second. A product without a date is last by oldest and
 * first by newest.
 */
export function refilter(products: readonly CardProduct[], view: CatalogueView): CardProduct[] {
  const words = view.search ? normalise(view.search).split(" ") : [];
  const shown = products.filter((product) => {
    const cents = centsFromEuros(product.price) ?? 0;
    const text = words.length > 0 ? normalise(`${product.name} ${product.description}`) : "";
    return (
      words.every((word) => text.includes(word)) &&
      (!view.type || product.productType === view.type) &&
      (view.categoryId === undefined || product.categoryIds.includes(view.categoryId)) &&
      (product.avgRating ?? 0) >= (view.minRating ?? 0) &&
      (!view.availability || product.availability !== "sold_out") &&
      cents >= (view.minPriceCents ?? 0) &&
      cents <= (view.maxPriceCents ?? Number.POSITIVE_INFINITY)
    );
  });
  const { priceSort, dateSort } = view;
  if (!priceSort && !dateSort) return shown;
  const byPrice = signOf(priceSort);
  const byDate = signOf(dateSort);
  return shown.sort(
    (a, b) => byPrice * (a.price - b.price) || byDate * compareDates(a.createdAt, b.createdAt),
  );
}

const signOf = (sort: SortDirection | undefined) => (sort === "asc" ? 1 : sort === "desc" ? -1 : 0);

/** ISO dates in one zone compare as texts. A missing date is later than all others. */
function compareDates(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

/** The URL of a picture: a bare file name is served below /images. */
export function imageUrl(image: string | null): string {
  if (!image) return "/images/placeholder.webp";
  return /^(https?:\/\/|\/)/.test(image) ? image : `/images/${image}`;
}

export const categoryUrl = ({ id }: { id: number }) => `/products?category=${id}`;

/** `/product/7?category=3`: the category is where the visitor comes from. */
export const productUrl = ({ id, categoryId }: Pick<CardProduct, "id" | "categoryId">) =>
  categoryId === null ? `/product/${id}` : `/product/${id}?category=${categoryId}`;

/** Ko as the product page shows them: "1,5 Mo". Below 10 Ko with three decimals: "0,004 Mo". */
export function formatFileSize(kilobytes: number): string {
  const maximumFractionDigits = kilobytes < 10 ? 3 : 2;
  return `${(kilobytes / 1000).toLocaleString("fr-FR", { maximumFractionDigits })}\u00A0Mo`;
}

/** "12 produits". */
export const productCount = (total: number): string =>
  total === 0 ? "Aucun produit" : total === 1 ? "1 produit" : `${formatNumber(total)} produits`;
