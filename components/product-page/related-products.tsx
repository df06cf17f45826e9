"use client";

import { useId } from "react";
import { ProductCard } from "@/components/catalogue/product-card";
import type { CardProduct } from "@/lib/catalogue/rules";

interface RelatedProductsProps {
  title: string;
  /** At most four. */
  products: readonly CardProduct[];
}

/** Products to go on to, in one row; on phones in two. Nothing without products. */
export function RelatedProducts({ title, products }: RelatedProductsProps) {
  const titleId = useId();
  if (products.length === 0) return null;
  return (
    <section aria-labelledby={titleId} className="mt-section">
      <h2 id={titleId} className="mb-6 text-heading">
        {title}
      </h2>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-8 md:grid-cols-4 md:gap-x-6">
        {products.map((product) => (
          <li key={product.id}>
            <ProductCard product={product} />
          </li>
        ))}
      </ul>
    </section>
  );
}
