"use client";

import { useEffect, useState } from "react";
import { cardGrid, ProductCard } from "@/components/catalogue/product-card";
import { fetchBestSold } from "@/lib/catalogue/client";
import type { CardProduct } from "@/lib/catalogue/rules";

/** Four of the most sold products, for pages that have nothing else to show; nothing until they are loaded. */
export function BestSold() {
  const [products, setProducts] = useState<readonly CardProduct[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    fetchBestSold({ signal: controller.signal }).then(setProducts, () => undefined);
    return () => controller.abort();
  }, []);
  if (products.length === 0) return null;
  return (
    <section aria-labelledby="best-sold" className="mt-12 text-left">
      <h2 id="best-sold" className="mb-5 text-heading">
        Les plus vendus
      </h2>
      <ul className={cardGrid}>
        {products.map((product) => (
          <li key={product.id}>
            <ProductCard product={product} />
          </li>
        ))}
      </ul>
    </section>
  );
}
