"use client";

import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { RatingBars } from "@/components/reviews/rating-bars";
import { ReviewItem } from "@/components/reviews/review-item";
import type { OwnReviewId } from "@/components/reviews/use-own-review";
import { useReviewList } from "@/components/reviews/use-review-list";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useHydrated } from "@/components/ui/use-hydrated";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { useSession } from "@/lib/browser/session";
import { formatNumber } from "@/lib/numbers";
import {
  FIRST_SHOWN,
  type PublishedReview,
  type RatingCounts,
  type ReviewOrder,
} from "@/lib/reviews/rules";
import { LOAD_FAILED, starsText } from "@/lib/reviews/texts";

// Lazy: for visitors who are logged in.
const OwnReview = lazy(() =>
  import("@/components/reviews/own-review").then((module) => ({ default: module.OwnReview })),
);

const ORDERS: Record<ReviewOrder, string> = {
  newest: "Les plus récents",
  best: "Les meilleurs",
  worst: "Les moins bons",
};

type PublishedReviewsProps = {
  productId: number;
  /** Most recent first; perhaps not all of them. */
  reviews: readonly PublishedReview[];
  total: number;
  ratings: RatingCounts;
  /** Above the numbers of reviews by rating, which choose the reviews that are listed. */
  summary: ReactNode;
  /** Below them. */
  notice: ReactNode;
  /** After the list. */
  invitation: ReactNode;
};

/**
 * The validated reviews, with the rating and in the order of the visitor's choice. Further reviews unfold;
 * without JavaScript all are shown. The visitor's own review comes first, whatever its status.
 */
export function PublishedReviews({
  productId,
  reviews,
  total,
  ratings,
  summary,
  notice,
  invitation,
}: PublishedReviewsProps) {
  const { token, userId } = useSession();
  const [own, setOwn] = useState<OwnReviewId | null>(null);
  const [withdrawnId, setWithdrawnId] = useState<number | null>(null);
  const first = { items: reviews, total };
  const { list, chosen, ...loading } = useReviewList({ productId, first, withdrawnId });
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isHydrated = useHydrated();

  const { stars } = list.view;
  const isOwnListed =
    own !== null &&
    (list.items.some((review) => review.id === own.id) ||
      (own.isPublished && (stars === null || own.rating === stars)));
  const others = list.items.filter((review) => review.id !== own?.id);
  const firstShown = own ? FIRST_SHOWN - 1 : FIRST_SHOWN;
  const hidden = list.total - (isOwnListed ? 1 : 0) - firstShown;

  function toggle() {
    if (!isOpen) trackEvent({ ...EVENTS.reviewSeeMore, value: hidden });
    setOpen(!isOpen);
  }

  return (
    <div className="lg:grid lg:grid-cols-[17.5rem_minmax(0,1fr)] lg:gap-x-16">
      <div className="flex flex-col gap-4">
        {summary}
        {total > 0 && (
          <RatingBars
            ratings={ratings}
            chosen={chosen.stars}
            onChoose={(next) => loading.choose({ stars: next })}
          />
        )}
        <div>{notice}</div>
      </div>
      <div className="mt-6 flex min-w-0 max-w-180 flex-col lg:mt-0">
        {/* A notice stands below the list, where room is kept for it; a review or its form above the list. */}
        <div className="order-last mt-6 hidden min-h-12 has-data-author:order-none has-data-author:mt-0 logged-in:block">
          {token !== null && (
            <Suspense>
              <OwnReview
                key={userId}
                productId={productId}
                token={token}
                userId={userId}
                onChange={setOwn}
                onWithdrawn={setWithdrawnId}
              />
            </Suspense>
          )}
        </div>
        {total > 1 && (
          <OrderSelect
            id={`${id}-order`}
            value={chosen.order}
            isBusy={loading.isLoading}
            onChoose={(order) => loading.choose({ order })}
          />
        )}
        <Filter stars={stars} total={list.total} onRemove={() => loading.choose({ stars: null })} />
        {loading.hasFailed && (
          <Alert kind="error" className="mt-4">
            {LOAD_FAILED}
          </Alert>
        )}
        <Reviews reviews={others.slice(0, firstShown)} />
        {hidden > 0 && (
          <>
            <div
              id={`${id}-more`}
              className={isOpen ? "border-line border-t" : "hidden noscript:block"}
            >
              {(isOpen || !isHydrated) && <Reviews reviews={others.slice(firstShown)} />}
            </div>
            <div className="noscript:hidden mt-4 flex flex-wrap gap-3">
              {isOpen && !loading.isComplete && (
                <Button busy={loading.isLoading} onClick={loading.loadMore}>
                  Afficher les avis suivants
                </Button>
              )}
              <Button
                variant="secondary"
                className="max-w-full wrap-anywhere"
                aria-expanded={isOpen}
                aria-controls={`${id}-more`}
                onClick={toggle}
              >
                {isOpen ? "Voir moins" : `Voir plus (${formatNumber(hidden)} avis supplémentaires)`}
              </Button>
            </div>
          </>
        )}
        <div>{invitation}</div>
      </div>
    </div>
  );
}

interface FilterProps {
  /** The rating of the reviews that are listed; null if all are. */
  stars: number | null;
  total: number;
  onRemove: () => void;
}

/** Which reviews are listed, if not all. */
function Filter({ stars, total, onRemove }: FilterProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-sm">
      <p role="status" className={stars === null ? "sr-only" : "mt-4"}>
        {stars !== null && `${formatNumber(total)} avis avec ${starsText(stars)}`}
      </p>
      {stars !== null && (
        <Button variant="ghost" size="sm" className="mt-4" onClick={onRemove}>
          Voir tous les avis
        </Button>
      )}
    </div>
  );
}

interface OrderSelectProps {
  id: string;
  value: ReviewOrder;
  isBusy: boolean;
  onChoose: (order: ReviewOrder) => void;
}

function OrderSelect({ id, value, isBusy, onChoose }: OrderSelectProps) {
  return (
    <p className="noscript:hidden mt-6 flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        Trier les avis
      </label>
      <select
        id={id}
        value={value}
        aria-busy={isBusy}
        onChange={(event) => onChoose(event.target.value as ReviewOrder)}
        className="control w-auto! max-w-full"
      >
        {Object.entries(ORDERS).map(([order, label]) => (
          <option key={order} value={order}>
            {label}
          </option>
        ))}
      </select>
    </p>
  );
}

function Reviews({ reviews }: { reviews: readonly PublishedReview[] }) {
  if (reviews.length === 0) return null;
  return (
    <ul className="divide-y divide-line">
      {reviews.map((review) => (
        <li key={review.id} className="py-6">
          <ReviewItem review={review} />
        </li>
      ))}
    </ul>
  );
}
