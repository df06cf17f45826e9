import { ProductImage } from "@/components/catalogue/product-image";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { categoryUrl, productCount } from "@/lib/catalogue/rules";
import type { CategoryTile } from "@/lib/home/rules";

/** The ways into the catalogue: the largest categories, each with a picture. */
export function CategoryTiles({ categories }: { categories: readonly CategoryTile[] }) {
  if (categories.length === 0) return null;
  return (
    <nav aria-label="Rayons en images" className="page-column pt-6 md:pt-8">
      <ul className="grid grid-cols-2 gap-3 md:gap-5 lg:grid-cols-4">
        {categories.map((category) => (
          <li key={category.id}>
            <HoverPrefetchLink
              href={categoryUrl(category)}
              className="group flex h-full min-h-14 gap-2.5 overflow-hidden rounded-lg border border-line pr-2 transition-colors hover:border-line-strong md:gap-4"
            >
              {/* As high as the name beside it, and at least a square. */}
              <span className="relative min-h-14 w-14 shrink-0 overflow-hidden bg-ground sm:min-h-18 sm:w-18 md:min-h-24 md:w-24">
                <ProductImage
                  image={category.image}
                  use="thumbnail"
                  className="absolute inset-0 size-full object-cover transition-transform duration-300 group-hover:scale-[1.05]"
                />
              </span>
              <span className="min-w-0 self-center py-2 [overflow-wrap:anywhere]">
                <span className="line-clamp-3 font-medium text-sm leading-tight sm:text-base md:text-lg">
                  {category.name}
                </span>{" "}
                <span className="mt-0.5 block text-muted text-xs">
                  {productCount(category.products)}
                </span>
              </span>
            </HoverPrefetchLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
