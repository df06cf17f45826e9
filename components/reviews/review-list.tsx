import Link from "next/link";
import { PublishedReviews } from "@/components/reviews/published-reviews";
import { ReviewNotice } from "@/components/reviews/review-notice";
import { Stars } from "@/components/ui/stars";
import { loginUrl } from "@/lib/guards";
import type { PublishedReview } from "@/lib/reviews/rules";
import { LOGIN_TO_REVIEW } from "@/lib/reviews/texts";

type ReviewListProps = {
  productId: number;
  /** Most recent first; perhaps not all of them. */
  reviews: readonly PublishedReview[];
  total: number;
  average: number | null;
};

/** A product's reviews: the average, the validated ones, and the visitor's own. */
export function ReviewList({ productId, reviews, total, average }: ReviewListProps) {
  return (
    <section
      id="avis"
      aria-labelledby="avis-titre"
      className="mt-section scroll-mt-24 border-line border-t pt-8 lg:grid lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-x-16"
    >
      <div className="flex flex-col gap-3">
        <h2 id="avis-titre" className="text-heading">
          Avis clients
        </h2>
        {average === null ? (
          <p className="text-muted">Aucun avis pour le moment.</p>
        ) : (
          <p>
            <Stars average={average} count={total} />
          </p>
        )}
        <ReviewNotice />
      </div>
      <div className="mt-6 min-w-0 max-w-3xl lg:mt-0">
        <p className="rounded-md bg-surface px-4 py-3 logged-in:hidden">
          <Link
            href={loginUrl(`/product/${productId}`)}
            prefetch={false}
            rel="nofollow"
            className="underline underline-offset-4 hover:no-underline"
          >
            {LOGIN_TO_REVIEW}
          </Link>
        </p>
        <PublishedReviews
          // Resets the state for another product.
          key={productId}
          productId={productId}
          reviews={reviews}
          total={total}
        />
      </div>
    </section>
  );
}
