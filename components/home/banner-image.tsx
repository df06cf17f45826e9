"use client";

import { getImageProps } from "next/image";

/**
 * The banner's still life. A client component only so that the picture's URL is not in the page's RSC
 * payload: a browser that merely prefetches the page would load it, too.
 */
export function BannerImage({ className }: { className: string }) {
  const { props } = getImageProps({
    src: "/images/home-still-life.webp",
    alt: "",
    width: 1240,
    height: 800,
    sizes: "(min-width: 768px) 50vw, 100vw",
  });
  const { style: _, ...attributes } = props;
  return (
    // biome-ignore lint/performance/noImgElement: the attributes come from next/image
    <img {...attributes} alt="" loading="eager" fetchPriority="high" className={className} />
  );
}
