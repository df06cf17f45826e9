"use client";

import { useEffect, useId, useRef, useState } from "react";
import { ProductImage } from "@/components/catalogue/product-image";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { Price } from "@/components/ui/price";
import { Skeleton } from "@/components/ui/skeleton";
import { readRecentlyViewed } from "@/lib/catalogue/recently-viewed";
import { type CardProduct, productUrl } from "@/lib/catalogue/rules";

const MAX_SHOWN = 5;

/**
 * The products that the visitor viewed before this one. They are loaded once their place comes near the
 * window. Nothing without a history, or where it cannot be loaded.
 */
export function RecentlyViewed({ id }: { id: number }) {
  const titleId = useId();
  const section = useRef<HTMLElement>(null);
  const [ids, setIds] = useState<number[]>([]);
  const [products, setProducts] = useState<CardProduct[] | null>(null);

  useEffect(() => {
    setIds(
      readRecentlyViewed()
        .filter((other) => other !== id)
        .slice(0, MAX_SHOWN),
    );
  }, [id]);

  useEffect(() => {
    const { current } = section;
    if (!current || ids.length === 0) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        import("@/lib/home/client")
          .then(({ fetchRecentlyViewed }) => fetchRecentlyViewed(ids))
          .then(setProducts, () => setProducts([]));
      },
      { rootMargin: "400px" },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [ids]);

  if (ids.length === 0 || products?.length === 0) return null;
  return (
    <section ref={section} aria-labelledby={titleId} className="mt-section print:hidden">
      <h2 id={titleId} className="mb-6 text-heading">
        Récemment consultés
      </h2>
      {/* Skeletons have the size of what replaces them. */}
      <ul
        aria-busy={products === null}
        className="-mx-gutter flex gap-4 overflow-x-auto px-gutter py-1 [scrollbar-width:none]"
      >
        {products
          ? products.map((product) => (
              <li key={product.id} className="h-60 w-40 shrink-0 overflow-hidden">
                <SmallCard product={product} />
              </li>
            ))
          : ids.map((other) => (
              <li key={other} className="h-60 w-40 shrink-0">
                <Skeleton className="aspect-square rounded-lg" />
              </li>
            ))}
      </ul>
    </section>
  );
}

function SmallCard({ product }: { product: CardProduct }) {
  const { name, image, price } = product;
  return (
    <article className="relative text-sm">
      <div className="aspect-square overflow-hidden rounded-lg bg-surface">
        <ProductImage image={image} use="small" />
      </div>
      <h3 className="mt-2 line-clamp-2 font-medium leading-snug">
        <HoverPrefetchLink
          href={productUrl(product)}
          className="after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
        >
          {name}
        </HoverPrefetchLink>
      </h3>
      <Price euros={price} className="text-muted" />
    </article>
  );
}
