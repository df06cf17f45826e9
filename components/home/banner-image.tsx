"use client";

import { pictureAttributes } from "@/lib/uploads/resized-picture";

/**
 * The banner's still life. A client component only to keep the picture's URL out of the page's RSC
 * payload: a browser that prefetches the page would load the picture, too.
 */
export function BannerImage({ className }: { className: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: see pictureAttributes
    <img
      {...pictureAttributes({
        src: "/images/home-still-life.webp",
        sizes: "(min-width: 768px) 50vw, 76vw",
        widest: 1080,
      })}
      alt=""
      width={1240}
      height={800}
      loading="eager"
      fetchPriority="high"
      decoding="async"
      className={className}
    />
  );
}
