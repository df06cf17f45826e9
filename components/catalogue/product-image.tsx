"use client";

import clsx from "clsx";
import { getImageProps } from "next/image";
import { imageUrl } from "@/lib/catalogue/rules";
import { isResizable } from "@/lib/uploads/resized-picture";

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

/**
 * Attributes for a product's picture in the right sizes. Uses the function of next/image instead of its
 * component: the markup is the same, without client code. Pictures from other sites are not optimized,
 * since the shop does not fetch URLs that a user has typed.
 */
function imageAttributes({ image, use }: { image: string | null; use: keyof typeof USES }) {
  const src = imageUrl(image);
  const { sizes, widest } = USES[use];
  const { props } = getImageProps({
    src,
    alt: "",
    width: widest,
    height: widest,
    sizes,
    unoptimized: !isResizable(src),
  });
  const { srcSet, style: _, ...attributes } = props;
  // Next.js lists every configured width. Widths that no screen needs only make the page larger.
  const candidates = srcSet?.split(", ").filter((item) => widthOf(item) <= widest);
  return {
    ...attributes,
    srcSet: candidates?.join(", "),
    src: lastUrl(candidates) ?? attributes.src,
  };
}

const widthOf = (candidate: string) => Number(candidate.match(/ (\d+)w$/)?.[1]);
const lastUrl = (candidates: string[] | undefined) => candidates?.at(-1)?.split(" ")[0];

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
    // biome-ignore lint/performance/noImgElement: the attributes come from next/image
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
