import Link from "next/link";
import type { ComponentProps } from "react";
import { ShownTo } from "@/components/layout/shown-to";
import { PublishedReviews } from "@/components/reviews/published-reviews";
import { ReviewNotice } from "@/components/reviews/review-notice";
import { oneDecimal, Stars } from "@/components/ui/stars";
import { loginUrl } from "@/lib/guards";
import { LOGIN_TO_REVIEW } from "@/lib/reviews/texts";

type ReviewListProps = Pick<
  ComponentProps<typeof PublishedReviews>,
  "productId" | "reviews" | "total" | "ratings"
> & { average: number | null };

/** A product's reviews: the average, the validated ones, and the visitor's own. */
export function ReviewList({ average, ...list }: ReviewListProps) {
  const { productId, total } = list;
  return (
    <section
      id="avis"
      aria-labelledby="avis-titre"
      className="mt-section scroll-mt-24 border-line border-t pt-8"
    >
      {/* The key resets the state for another product. */}
      <PublishedReviews
        key={productId}
        {...list}
        summary={
          <>
            <h2 id="avis-titre" className="text-heading">
              Avis clients
            </h2>
            {average === null ? (
              <p className="text-muted">Aucun avis pour le moment.</p>
            ) : (
              <p className="flex flex-wrap items-center gap-x-3">
                <span className="font-semibold text-[2rem]/[3rem] tabular-nums">
                  {`${oneDecimal.format(average)} / 5`}
                </span>
                <Stars average={average} count={total} wordless />
              </p>
            )}
          </>
        }
        notice={<ReviewNotice />}
        invitation={
          <ShownTo audience="logged-out">
            <p className="mt-6 rounded-md bg-surface px-4 py-3 logged-in:hidden">
              <Link
                href={loginUrl(`/product/${productId}`)}
                prefetch={false}
                rel="nofollow"
                className="underline underline-offset-4 hover:no-underline"
              >
                {LOGIN_TO_REVIEW}
              </Link>
            </p>
          </ShownTo>
        }
      />
    </section>
  );
}
