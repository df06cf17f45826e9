"use client";

import clsx from "clsx";
import { type KeyboardEvent, lazy, Suspense, useRef, useState } from "react";
import { ProductImage } from "@/components/catalogue/product-image";
import { ExpandIcon } from "@/components/ui/icons";

// Lazy: loaded when a picture is enlarged.
const ZoomDialog = lazy(() =>
  import("@/components/product-page/zoom-dialog").then((module) => ({
    default: module.ZoomDialog,
  })),
);

export interface GalleryImage {
  /** Null for a product without a picture: a placeholder is shown. */
  url: string | null;
  alt: string;
}

interface GalleryProps {
  images: readonly [GalleryImage, ...GalleryImage[]];
}

/**
 * A product's pictures in a row that is swiped, or scrolled by thumbnails and keys; each can be enlarged.
 * Without JavaScript the row scrolls.
 */
export function Gallery({ images }: GalleryProps) {
  const track = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const hasMany = images.length > 1;

  function show(index: number) {
    const { current: list } = track;
    // Smooth or not: the style decides, by the visitor's preference.
    list?.scrollTo({ left: index * list.clientWidth });
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key, target, currentTarget } = event;
    const buttons = [...currentTarget.querySelectorAll("button")];
    // Not the picture that is shown: the row may still be on its way to the last one that was asked for.
    const from = buttons.indexOf(target as HTMLButtonElement);
    const next = targetOf({ key, current: from, count: images.length });
    if (next === null) return;
    event.preventDefault();
    show(next);
    buttons[next]?.focus({ preventScroll: true });
  }

  return (
    <section aria-label="Images du produit" className="max-md:-mx-gutter min-w-0">
      <div className="group relative">
        <ul
          ref={track}
          onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
            setCurrent(Math.round(scrollLeft / Math.max(clientWidth, 1)))
          }
          className="flex snap-x snap-mandatory overflow-x-auto scroll-smooth bg-surface [scrollbar-width:none] motion-reduce:scroll-auto md:rounded-lg"
        >
          {images.map(({ url, alt }, index) => (
            <li
              // Two pictures may be the same file.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              key={index}
              className="gallery-picture relative w-full shrink-0 snap-center"
            >
              <ProductImage image={url} alt={alt} use="detail" priority={index === 0} />
              <button
                type="button"
                aria-label={
                  hasMany
                    ? `Agrandir l’image ${index + 1} sur ${images.length}`
                    : "Agrandir l’image"
                }
                // Only the picture that is shown takes part in the order of the keyboard.
                tabIndex={index === current ? 0 : -1}
                onClick={() => setZoomed(index)}
                className="noscript:hidden absolute inset-0 cursor-zoom-in focus-visible:-outline-offset-4 md:rounded-lg"
              />
            </li>
          ))}
        </ul>
        <span
          aria-hidden="true"
          className="noscript:hidden pointer-events-none absolute right-3 bottom-3 grid size-10 place-items-center rounded-full bg-bg/85 text-ink transition-opacity md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100"
        >
          <ExpandIcon size={18} />
        </span>
        {hasMany && (
          <p
            aria-hidden="true"
            className="noscript:hidden pointer-events-none absolute bottom-3 left-3 rounded-full bg-bg/85 px-2.5 py-0.5 text-ink text-xs tabular-nums md:hidden"
          >
            {`${current + 1} / ${images.length}`}
          </p>
        )}
      </div>
      {hasMany && (
        <>
          <p
            aria-hidden="true"
            className="noscript:hidden mt-2 flex justify-center gap-1.5 md:hidden"
          >
            {images.map((_, index) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                key={index}
                className={clsx(
                  "size-1.5 rounded-full",
                  index === current ? "bg-accent" : "bg-line-strong/50",
                )}
              />
            ))}
          </p>
          <div
            role="toolbar"
            aria-label="Choisir une image"
            onKeyDown={onKeyDown}
            className="noscript:hidden mt-3 flex flex-wrap gap-3 max-md:hidden"
          >
            {images.map(({ url }, index) => (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                key={index}
                type="button"
                aria-label={`Image ${index + 1} sur ${images.length}`}
                aria-pressed={index === current}
                tabIndex={index === current ? 0 : -1}
                onClick={() => show(index)}
                className={clsx(
                  "size-18 overflow-hidden rounded-md bg-surface",
                  index === current && "ring-2 ring-accent ring-offset-2",
                )}
              >
                <ProductImage image={url} use="thumbnail" />
              </button>
            ))}
          </div>
        </>
      )}
      {zoomed !== null && (
        <Suspense>
          <ZoomDialog
            images={images}
            first={zoomed}
            onClose={(last) => {
              setZoomed(null);
              show(last);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}

/** The picture that a key leads to; null for any other key. */
export function targetOf({
  key,
  current,
  count,
}: {
  key: string;
  current: number;
  count: number;
}): number | null {
  if (key === "ArrowRight") return Math.min(current + 1, count - 1);
  if (key === "ArrowLeft") return Math.max(current - 1, 0);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return null;
}
