"use client";

import { useEffect, useState } from "react";
import { cardGrid, ProductCard } from "@/components/catalogue/product-card";
import { fetchBestSold } from "@/lib/catalogue/client";
import type { CardProduct } from "@/lib/catalogue/rules";

/**
 * Four of the most sold products, for pages that have nothing else to show; nothing until they are loaded. Their
 * room keeps the footer below the window meanwhile, so that nothing visible moves.
 */
export function BestSold() {
  const [products, setProducts] = useState<readonly CardProduct[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    fetchBestSold({ signal: controller.signal }).then(setProducts, () => undefined);
    return () => controller.abort();
  }, []);
  const room =
    "mt-12 min-h-[max(44rem,calc(100svh-20rem))] text-left md:min-h-[max(30rem,calc(100svh-20rem))]";
  if (products.length === 0) return <div className={room} />;
  return (
    <section aria-labelledby="best-sold" className={room}>
      <h2 id="best-sold" className="mb-5 text-heading">
        Les plus vendus
      </h2>
      <ul className={cardGrid}>
        {products.map((product) => (
          // In three columns, the fourth would be alone in its row.
          <li key={product.id} className="md:max-xl:nth-4:hidden">
            <ProductCard product={product} />
          </li>
        ))}
      </ul>
    </section>
  );
}
