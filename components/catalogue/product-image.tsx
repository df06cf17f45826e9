import { getImageProps } from "next/image";
import { imageAddress } from "@/lib/catalogue/rules";

/** Pictures are square; the widths follow the layouts' columns. */
const SIZES = {
  card: "(min-width: 1280px) 300px, (min-width: 768px) 30vw, 45vw",
  detail: "(min-width: 1024px) 600px, 92vw",
} as const;

const WIDTH = 640;

/**
 * Attributes for a product's picture in the right sizes. Not Next.js's component but its function:
 * the markup is the same, without its script in the browser. Pictures from other sites are shown as
 * they are, since the shop does not fetch addresses that somebody typed.
 */
function imageAttributes({ image, use }: { image: string | null; use: keyof typeof SIZES }) {
  const src = imageAddress(image);
  const { props } = getImageProps({
    src,
    alt: "",
    width: WIDTH,
    height: WIDTH,
    sizes: SIZES[use],
    unoptimized: !src.startsWith("/images/"),
  });
  return props;
}

type ProductImageProps = {
  image: string | null;
  alt: string;
  use: keyof typeof SIZES;
  /** The largest picture of the page, to be loaded before everything else. */
  priority?: boolean;
  className?: string;
};

export function ProductImage({ image, alt, use, priority, className }: ProductImageProps) {
  const { style: _, ...attributes } = imageAttributes({ image, use });
  return (
    // biome-ignore lint/performance/noImgElement: the attributes come from next/image
    <img
      {...attributes}
      alt={alt}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      className={className}
    />
  );
}

/** Loads the picture that the product's page will show, before it is opened. */
export function preloadDetailImage(image: string | null): void {
  const { srcSet, sizes, src } = imageAttributes({ image, use: "detail" });
  const picture = new Image();
  if (sizes) picture.sizes = sizes;
  if (srcSet) picture.srcset = srcSet;
  else picture.src = src;
}
