import { ProductImage } from "@/components/catalogue/product-image";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { Stars } from "@/components/ui/stars";
import { productUrl } from "@/lib/catalogue/rules";
import type { HomeReview } from "@/lib/home/rules";

/** The latest good reviews, each with its product. French law asks to say how reviews are chosen. */
export function HomeReviews({ reviews }: { reviews: readonly HomeReview[] }) {
  if (reviews.length === 0) return null;
  return (
    <section aria-labelledby="reviews-title" className="page-column mt-section">
      <h2 id="reviews-title" className="font-display text-title">
        Ils s’en servent
      </h2>
      <p className="mt-1 text-muted text-sm">
        Les derniers avis de quatre et cinq étoiles&#8239;; tous sont sur la page de leur produit.
      </p>
      <ul className="mt-6 grid gap-4 md:grid-cols-3 md:gap-6">
        {reviews.map(({ id, rating, content, author, product }) => (
          <li key={id}>
            <figure className="relative flex h-full flex-col gap-3 rounded-lg border border-line p-5">
              <Stars rating={rating} compact />
              <blockquote className="flex-1 [overflow-wrap:anywhere]" dir="auto">
                {content}
              </blockquote>
              <figcaption className="flex items-center gap-3">
                <span className="size-14 shrink-0 overflow-hidden rounded-md bg-ground">
                  <ProductImage image={product.image} use="thumbnail" />
                </span>
                <span className="min-w-0 text-sm">
                  <bdi className="font-medium">{author}</bdi>
                  <HoverPrefetchLink
                    href={`${productUrl(product)}#avis`}
                    className="line-clamp-2 text-muted underline-offset-4 [overflow-wrap:anywhere] hover:underline"
                  >
                    {product.name}
                  </HoverPrefetchLink>
                </span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}
