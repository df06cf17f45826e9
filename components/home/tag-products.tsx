"use client";

import { useRef, useState } from "react";
import { ProductGrid } from "@/components/home/product-grid";
import { ChipButton } from "@/components/ui/chip";
import { type CardProduct, type CatalogueLabel, productCount } from "@/lib/catalogue/rules";
import { fetchTaggedProducts } from "@/lib/home/client";

/** The tags, and the products of the chosen tag. */
export function TagProducts({ tags }: { tags: readonly CatalogueLabel[] }) {
  const [tag, setTag] = useState<CatalogueLabel | null>(null);
  /** Null while the products are being loaded. */
  const [products, setProducts] = useState<CardProduct[] | null>(null);
  const chosenId = useRef<number>(undefined);

  async function choose(next: CatalogueLabel) {
    chosenId.current = next.id;
    setTag(next);
    setProducts(null);
    const found = await fetchTaggedProducts(next.id).catch(() => []);
    // A slow response must not replace the products of a tag chosen since.
    if (chosenId.current === next.id) setProducts(found);
  }

  return (
    <section
      aria-labelledby="tags-title"
      className="mt-12 md:mt-16"
      // A shop without tags needs no heading for them.
      hidden={tags.length === 0}
    >
      <h2 id="tags-title" className="font-display text-title">
        Par thème
      </h2>
      {/* A plain form: without JavaScript the button leads to the tag's catalogue view. */}
      <form action="/products" className="mt-4 flex flex-wrap gap-2">
        {tags.map((each) => (
          <ChipButton
            key={each.id}
            type="submit"
            name="tags.id"
            value={each.id}
            color={each.color}
            aria-pressed={tag?.id === each.id}
            onClick={(event) => {
              event.preventDefault();
              choose(each);
            }}
          >
            {each.name}
          </ChipButton>
        ))}
      </form>
      {tag && (
        <div className="mt-8">
          <h3 className="mb-6 font-medium text-lg">{tag.name}</h3>
          <p role="status" className="sr-only">
            {products && productCount(products.length)}
          </p>
          <ProductGrid products={products}>Aucun produit pour le moment.</ProductGrid>
        </div>
      )}
    </section>
  );
}
