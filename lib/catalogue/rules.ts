import { centsFromEuros } from "@/lib/money";
import type { CatalogueView, ProductType, SortDirection } from "./schemas";

/** What a card and the filters need of a product's JSON. */
export type CardProduct = {
  id: number;
  name: string;
  description: string;
  /** Euros. */
  price: number;
  image: string | null;
  productType: ProductType;
  categoryId: number;
  /** Ids of all its categories, the default one included. */
  categoryIds: number[];
  avgRating: number | null;
  reviewsCount: number;
  createdAt: string | null;
};

/** What the API says of a product's kind: in a word of the shop's own, in the format's, or both. */
export interface KindJson {
  productType?: ProductType | undefined;
  /** Contains "PhysicalProduct" or "DigitalProduct". */
  "@type"?: string | undefined;
}

/** Physical or digital; digital where neither word is there. */
export const productTypeOf = ({ productType, "@type": type = "" }: KindJson): ProductType =>
  productType ?? (type.includes("PhysicalProduct") ? "physical" : "digital");

export type ProductJson = Omit<CardProduct, "categoryIds" | "productType"> &
  KindJson & { categories?: readonly { id: number }[] };

/** The part of a product's JSON that cards need: pages carry it, so it is kept small. */
export function cardOf(product: ProductJson): CardProduct {
  const { id, name, description, price, image, categoryId, categories = [] } = product;
  const { avgRating, reviewsCount, createdAt } = product;
  const categoryIds = [...new Set([categoryId, ...categories.map((label) => label.id)])];
  return {
    id,
    name,
    description,
    price,
    image,
    productType: productTypeOf(product),
    categoryId,
    categoryIds,
    avgRating,
    reviewsCount,
    createdAt,
  };
}

/** As PostgreSQL's search_normalise: no accents, no capitals, words parted by single spaces. */
function normalise(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("œ", "oe")
    .replaceAll("æ", "ae")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * The products of a loaded page that a view would show, in its order: what is shown at once, until
 * the server has answered. A product without a date goes last by oldest and first by newest.
 */
export function refilter(products: readonly CardProduct[], view: CatalogueView): CardProduct[] {
  const words = normalise(view.search ?? "").split(" ");
  const shown = products.filter((product) => {
    const cents = centsFromEuros(product.price) ?? 0;
    const text = normalise(`${product.name} ${product.description}`);
    return (
      words.every((word) => text.includes(word)) &&
      (!view.type || product.productType === view.type) &&
      (view.categoryId === undefined || product.categoryIds.includes(view.categoryId)) &&
      cents >= (view.minPriceCents ?? 0) &&
      cents <= (view.maxPriceCents ?? Number.POSITIVE_INFINITY)
    );
  });
  const { priceSort, dateSort } = view;
  if (!priceSort && !dateSort) return shown;
  const byPrice = signOf(priceSort);
  const byDate = signOf(dateSort);
  return shown.sort(
    (a, b) =>
      byPrice * (a.price - b.price) ||
      byDate * compareDates(a.createdAt, b.createdAt) ||
      signOf(dateSort ?? priceSort) * (a.id - b.id),
  );
}

const signOf = (sort: SortDirection | undefined) => (sort === "asc" ? 1 : sort === "desc" ? -1 : 0);

/** ISO dates in one zone compare as texts; an unknown one is the latest of all. */
function compareDates(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

/** A price as typed ("12,5"), in cents; undefined for an empty or unreadable one. */
export function centsOfInput(text: string): number | undefined {
  const cents = text.trim() ? centsFromEuros(text) : null;
  return cents === null || cents < 0 ? undefined : cents;
}

/** Where a picture is found: a bare file name is served below /images. */
export function imageAddress(image: string | null): string {
  if (!image) return "/images/placeholder.webp";
  return /^(https?:\/\/|\/)/.test(image) ? image : `/images/${image}`;
}

export const categoryAddress = ({ id }: { id: number }) => `/products?category=${id}`;

/** `/product/7?category=3`: the category is where the visitor comes from. */
export const productAddress = ({ id, categoryId }: Pick<CardProduct, "id" | "categoryId">) =>
  `/product/${id}?category=${categoryId}`;

const megabytes = new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 2 });

/** Ko as the product page shows them: "1,5 Mo". */
export const formatFileSize = (kilobytes: number) =>
  `${megabytes.format(kilobytes / 1000)}\u00A0Mo`;
