import type { ReactNode } from "react";
import { Stars } from "@/components/ui/stars";
import { formatDate } from "@/lib/dates";
import type { PublishedReview } from "@/lib/reviews/rules";

type ReviewItemProps = {
  review: PublishedReview;
  /** Shown after the author's name. */
  badge?: ReactNode;
  /** Pending or rejected: the date shown is the day of writing. */
  isUnpublished?: boolean;
};

/** One review. Its text may be anything: endless words, any script, stacked accents. */
export function ReviewItem({ review, badge, isUnpublished }: ReviewItemProps) {
  const { author, rating, content, publishedAt, purchasedAt } = review;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Stars rating={rating} compact />
        <bdi className="min-w-0 max-w-full overflow-x-clip font-medium">{author}</bdi>
        {badge}
      </p>
      <p className="mt-1 text-muted text-sm">
        <span>{isUnpublished ? "Écrit le " : "Publié le "}</span>
        <time dateTime={publishedAt}>{formatDate(publishedAt)}</time>
        {purchasedAt === null ? (
          <span> · Achat non vérifié</span>
        ) : (
          <span>
            {" · Acheté le "}
            <time dateTime={purchasedAt}>{formatDate(purchasedAt)}</time>
          </span>
        )}
      </p>
      <p
        dir="auto"
        className="mt-2 overflow-hidden whitespace-pre-line py-0.5 [overflow-wrap:anywhere]"
      >
        {content}
      </p>
    </>
  );
}
