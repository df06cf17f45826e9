import type { ReactNode } from "react";
import { ProductCard, tenCardGrid } from "@/components/catalogue/product-card";
import { Skeleton } from "@/components/ui/skeleton";
import type { CardProduct } from "@/lib/catalogue/rules";

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
    <ul className={tenCardGrid} aria-busy={products === null}>
      {products
        ? products.map((product) => (
            <li key={product.id}>
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
