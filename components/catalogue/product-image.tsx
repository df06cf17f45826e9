"use client";

import clsx from "clsx";
import { imageUrl } from "@/lib/catalogue/rules";
import { pictureAttributes } from "@/lib/uploads/resized-picture";

/** Sizes of the square that shows the picture; the widths follow the layouts' columns. */
const USES = {
  card: { sizes: "(min-width: 1280px) 300px, (min-width: 768px) 30vw, 45vw", widest: 640 },
  detail: {
    sizes: "(min-width: 1280px) 690px, (min-width: 1024px) 53vw, (min-width: 768px) 45vw, 100vw",
    widest: 1080,
  },
  full: { sizes: "100vw", widest: 1080 },
  small: { sizes: "160px", widest: 360 },
  thumbnail: { sizes: "96px", widest: 288 },
} as const;

/** Pictures from other sites are not resized, since the shop does not fetch URLs that a user has typed. */
const imageAttributes = ({ image, use }: { image: string | null; use: keyof typeof USES }) => ({
  width: USES[use].widest,
  height: USES[use].widest,
  decoding: "async" as const,
  ...pictureAttributes({ src: imageUrl(image), ...USES[use] }),
});

type ProductImageProps = {
  image: string | null;
  alt?: string;
  use: keyof typeof USES;
  /** The largest picture of the page, to be loaded before everything else. */
  priority?: boolean;
  className?: string;
};

/**
 * A product's picture. A client component on every page, so that the picture's URL is not in the page's RSC
 * payload: a browser that prefetches a product's page would load its picture, too.
 */
export function ProductImage({ image, alt = "", use, priority, className }: ProductImageProps) {
  return (
    // biome-ignore lint/performance/noImgElement: see pictureAttributes
    <img
      {...imageAttributes({ image, use })}
      alt={alt}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      // Shows the whole picture, whatever its shape; the rest of the square keeps its background.
      className={clsx("object-contain", className ?? "size-full")}
    />
  );
}

/** Preloads the picture that the product's page will show. */
export function preloadDetailImage(image: string | null): void {
  const { srcSet, sizes, src } = imageAttributes({ image, use: "detail" });
  const picture = new Image();
  if (sizes) picture.sizes = sizes;
  if (srcSet) picture.srcset = srcSet;
  else picture.src = src;
}
