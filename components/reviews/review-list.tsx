import { MoreReviews } from "@/components/reviews/more-reviews";
import { Stars } from "@/components/ui/stars";
import { formatDate } from "@/lib/dates";
import type { PublishedReview } from "@/lib/reviews/rules";

const FIRST_SHOWN = 5;

type ReviewListProps = {
  /** Most recent first; perhaps not all of them. */
  reviews: readonly PublishedReview[];
  total: number;
  average: number | null;
};

/** The validated reviews of a product; the further ones unfold, and all show without JavaScript. */
export function ReviewList({ reviews, total, average }: ReviewListProps) {
  const first = reviews.slice(0, FIRST_SHOWN);
  const others = reviews.slice(FIRST_SHOWN);
  return (
    <section id="avis" aria-labelledby="avis-titre" className="mt-section max-w-3xl scroll-mt-24">
      <h2 id="avis-titre" className="text-heading">
        Avis clients
      </h2>
      {average === null ? (
        <p className="mt-3 text-muted">Aucun avis pour le moment.</p>
      ) : (
        <p className="mt-2">
          <Stars average={average} count={total} />
        </p>
      )}
      <Reviews reviews={first} />
      {others.length > 0 && (
        <MoreReviews count={others.length}>
          <Reviews reviews={others} />
        </MoreReviews>
      )}
    </section>
  );
}

function Reviews({ reviews }: Pick<ReviewListProps, "reviews">) {
  return (
    <ul className="divide-y divide-line">
      {reviews.map(({ id, author, rating, content, publishedAt }) => (
        <li key={id} className="py-6">
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <Stars rating={rating} compact />
            <span className="font-medium">{author}</span>
            <time dateTime={publishedAt} className="text-muted text-sm">
              {formatDate(publishedAt)}
            </time>
          </p>
          <p className="mt-2 whitespace-pre-line">{content}</p>
        </li>
      ))}
    </ul>
  );
}
