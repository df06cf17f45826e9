"use client";

import { useEffect, useRef, useState } from "react";
import { ProductImage } from "@/components/catalogue/product-image";
import { type GalleryImage, targetOf } from "@/components/product-page/gallery";
import { ChevronLeftIcon, ChevronRightIcon, CloseIcon } from "@/components/ui/icons";

interface ZoomDialogProps {
  images: readonly GalleryImage[];
  first: number;
  /** Called with the picture that was shown last. */
  onClose: (last: number) => void;
}

const control =
  "grid size-12 place-items-center rounded-full bg-bg/85 text-ink hover:bg-bg disabled:invisible";

/**
 * One picture as large as the window, on the browser's own `<dialog>`: Escape closes it, arrows show the other
 * pictures, and the focus returns to where it was.
 */
export function ZoomDialog({ images, first, onClose }: ZoomDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [current, setCurrent] = useState(first);
  useEffect(() => {
    const { current: element } = dialog;
    element?.showModal();
    return () => element?.close();
  }, []);

  const image = images[current];
  if (!image) return null;
  const count = images.length;
  const go = (key: string) => setCurrent(targetOf({ key, current, count }) ?? current);

  return (
    <dialog
      ref={dialog}
      aria-label="Image agrandie"
      onClose={() => onClose(current)}
      onKeyDown={({ key }) => go(key)}
      className="m-0 size-full max-h-none max-w-none overflow-hidden bg-surface text-ink"
    >
      {/* The key replaces the picture: the former one does not stay while the next one is loaded. */}
      <ProductImage key={current} image={image.url} alt={image.alt} use="full" priority />
      <p aria-live="polite" className="sr-only">
        {`Image ${current + 1} sur ${count}`}
      </p>
      <button
        type="button"
        aria-label="Fermer"
        onClick={() => dialog.current?.close()}
        className={`${control} absolute top-3 right-3`}
      >
        <CloseIcon />
      </button>
      {count > 1 && (
        <>
          <button
            type="button"
            aria-label="Image précédente"
            aria-disabled={current === 0}
            onClick={() => go("ArrowLeft")}
            className={`${control} absolute top-1/2 left-3 -translate-y-1/2 aria-disabled:opacity-40`}
          >
            <ChevronLeftIcon />
          </button>
          <button
            type="button"
            aria-label="Image suivante"
            aria-disabled={current === count - 1}
            onClick={() => go("ArrowRight")}
            className={`${control} absolute top-1/2 right-3 -translate-y-1/2 aria-disabled:opacity-40`}
          >
            <ChevronRightIcon />
          </button>
          <p
            aria-hidden="true"
            className="absolute inset-x-0 bottom-4 text-center text-sm tabular-nums"
          >
            <span className="rounded-full bg-bg/85 px-3 py-1">{`${current + 1} / ${count}`}</span>
          </p>
        </>
      )}
    </dialog>
  );
}
