import Link from "next/link";
import type { ComponentProps } from "react";
import { ShownTo } from "@/components/layout/shown-to";
import { PublishedReviews } from "@/components/reviews/published-reviews";
import { ReviewNotice } from "@/components/reviews/review-notice";
import { Stars } from "@/components/ui/stars";
import { loginUrl } from "@/lib/guards";
import { LOGIN_TO_REVIEW } from "@/lib/reviews/texts";

type ReviewListProps = ComponentProps<typeof PublishedReviews> & { average: number | null };

/** A product's reviews: the average, the validated ones, and the visitor's own. */
export function ReviewList({ average, ...list }: ReviewListProps) {
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
            <Stars average={average} count={list.total} />
          </p>
        )}
        <ReviewNotice />
      </div>
      <div className="mt-6 min-w-0 max-w-3xl lg:mt-0">
        <ShownTo audience="logged-out">
          <p className="rounded-md bg-surface px-4 py-3 logged-in:hidden">
            <Link
              href={loginUrl(`/product/${list.productId}`)}
              prefetch={false}
              rel="nofollow"
              className="underline underline-offset-4 hover:no-underline"
            >
              {LOGIN_TO_REVIEW}
            </Link>
          </p>
        </ShownTo>
        {/* The key resets the state for another product. */}
        <PublishedReviews key={list.productId} {...list} />
      </div>
    </section>
  );
}
