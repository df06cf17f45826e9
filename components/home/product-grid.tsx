import type { ReactNode } from "react";
import { ProductCard } from "@/components/catalogue/product-card";
import { Skeleton } from "@/components/ui/skeleton";
import type { CardProduct } from "@/lib/catalogue/rules";

/**
 * At most ten cards: two rows of five on a large screen, three of three on a medium one, which leaves out the
 * tenth, and a row to be swiped on a small one, with part of the third card in view.
 */
const grid =
  "max-md:-mx-gutter grid grid-flow-col auto-cols-[minmax(9rem,42%)] snap-x scroll-px-gutter gap-x-4 overflow-x-auto px-gutter pb-2 [scrollbar-width:none] md:grid-flow-row md:auto-cols-auto md:grid-cols-3 md:gap-x-6 md:gap-y-10 md:overflow-visible md:px-0 xl:grid-cols-5 md:max-xl:[&>:nth-child(10)]:hidden";

type ProductGridProps = {
  /** Null while the products are being loaded. */
  products: CardProduct[] | null;
  /** The message for an empty list. */
  children: ReactNode;
};

/** Cards, or skeletons while the products are being loaded. */
export function ProductGrid({ products, children }: ProductGridProps) {
  if (products?.length === 0) return <p className="py-12 text-muted">{children}</p>;
  return (
    <ul className={grid} aria-busy={products === null}>
      {products
        ? products.map((product) => (
            <li key={product.id} className="snap-start">
              <ProductCard product={product} />
            </li>
          ))
        : ["a", "b", "c", "d", "e"].map((key) => (
            <li key={key}>
              <Skeleton className="aspect-square rounded-lg" />
            </li>
          ))}
    </ul>
  );
}
