import type { ProductImage } from "@/db/schema/catalogue";

/** The columns of a product's pictures. */
export interface ImageColumns {
  image: string | null;
  imageAlt: string;
  moreImages: ProductImage[];
}

/** All pictures of a product, the first one first. */
export function imagesOf({ image, imageAlt, moreImages }: ImageColumns): ProductImage[] {
  // PostgreSQL stores the keys of JSON in an order of its own.
  const others = moreImages.map(({ url, alt }) => ({ url, alt }));
  return image ? [{ url: image, alt: imageAlt }, ...others] : others;
}

/** The columns of a list of pictures. */
export const columnsOfImages = ([first, ...moreImages]: readonly ProductImage[]): ImageColumns => ({
  image: first?.url ?? null,
  imageAlt: first?.alt ?? "",
  moreImages,
});

/**
 * The pictures after a write that sends the first one (`image`), all of them (`images`), both or none; undefined
 * if they stay. `image` replaces the first picture and keeps the others, and null removes it. `images` takes
 * precedence, unless it is the present list: then a client sends back all that it has read, and has changed
 * `image` alone.
 */
export function imagesAfter({
  before,
  image,
  images,
}: {
  before: readonly ProductImage[];
  image?: string | null | undefined;
  images?: readonly ProductImage[] | undefined;
}): ProductImage[] | undefined {
  if (images && !areSame(images, before)) return [...images];
  const [first, ...others] = before;
  if (image === undefined || image === (first?.url ?? null)) return undefined;
  const kept = others.filter(({ url }) => url !== image);
  if (image === null) return kept;
  return [others.find(({ url }) => url === image) ?? { url: image, alt: "" }, ...kept];
}

const areSame = (some: readonly ProductImage[], others: readonly ProductImage[]) =>
  some.length === others.length &&
  some.every(({ url, alt }, index) => url === others[index]?.url && alt === others[index]?.alt);
