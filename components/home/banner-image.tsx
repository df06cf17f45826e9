"use client";

import { getImageProps } from "next/image";

/**
 * The banner's still life. A client component only to keep the picture's URL out of the page's RSC
 * payload: a browser that prefetches the page would load the picture, too.
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
