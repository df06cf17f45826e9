"use client";

import { lazy, Suspense, useId, useRef, useState } from "react";
import { ReviewItem } from "@/components/reviews/review-item";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useHydrated } from "@/components/ui/use-hydrated";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { useSession } from "@/lib/auth/client";
import {
  compareReviews,
  FIRST_SHOWN,
  type PublishedReview,
  type ReviewOrder,
} from "@/lib/reviews/rules";
import { LOAD_FAILED } from "@/lib/reviews/texts";

// What only those who are logged in can do comes to them alone.
const OwnReview = lazy(() =>
  import("@/components/reviews/own-review").then((module) => ({ default: module.OwnReview })),
);

const ORDERS: Record<ReviewOrder, string> = {
  newest: "Les plus récents",
  best: "Les meilleurs",
  worst: "Les moins bons",
};

type Listed = { order: ReviewOrder; items: readonly PublishedReview[]; total: number };

type PublishedReviewsProps = {
  productId: number;
  /** Most recent first; perhaps not all of them. */
  reviews: readonly PublishedReview[];
  total: number;
};

/**
 * The validated reviews in the order of the visitor's choice; the further ones unfold, and all show
 * without JavaScript. The visitor's own stands before them, whatever its state.
 */
export function PublishedReviews({ productId, reviews, total }: PublishedReviewsProps) {
  const { token, userId } = useSession();
  const [own, setOwn] = useState<{ id: number; isPublished: boolean } | null>(null);
  const [withdrawnId, setWithdrawnId] = useState<number | null>(null);
  const [order, setOrder] = useState<ReviewOrder>("newest");
  const [read, setRead] = useState<Listed | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isReading, setReading] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const reading = useRef(0);
  const id = useId();
  const isHydrated = useHydrated();

  // What was read before one's own was withdrawn still holds it.
  const listed = without(withdrawnId, read ?? { order: "newest", items: reviews, total });
  const isComplete = listed.items.length >= listed.total;
  const isOwnListed =
    own !== null && (own.isPublished || listed.items.some((r) => r.id === own.id));
  const others = listed.items.filter((review) => review.id !== own?.id);
  const sorted = listed.order === order ? others : [...others].sort(compareReviews(order));
  const firstShown = own ? FIRST_SHOWN - 1 : FIRST_SHOWN;
  const hidden = listed.total - (isOwnListed ? 1 : 0) - firstShown;

  /** Reads what comes after the known ones, or another order from its beginning. */
  async function readMore(wanted: ReviewOrder, known: readonly PublishedReview[]) {
    reading.current += 1;
    const thisReading = reading.current;
    setReading(true);
    setFailed(false);
    try {
      const { listFurtherReviews } = await import("@/lib/reviews/client");
      const { items, total } = await listFurtherReviews({ productId, order: wanted, known });
      if (reading.current !== thisReading) return;
      setRead({ order: wanted, items: [...known, ...items], total });
      setOrder(wanted);
    } catch {
      if (reading.current !== thisReading) return;
      setFailed(true);
    }
    setReading(false);
  }

  function choose(wanted: ReviewOrder) {
    // An answer that is still on its way is for another choice.
    reading.current += 1;
    setReading(false);
    setFailed(false);
    if (isComplete) setOrder(wanted);
    else void readMore(wanted, []);
  }

  function toggle() {
    if (!isOpen) trackEvent({ ...EVENTS.reviewSeeMore, value: hidden });
    setOpen(!isOpen);
  }

  return (
    <>
      <div className="hidden min-h-12 logged-in:block">
        {token !== null && (
          <Suspense>
            <OwnReview
              key={token}
              productId={productId}
              token={token}
              userId={userId}
              onChange={setOwn}
              onWithdrawn={setWithdrawnId}
            />
          </Suspense>
        )}
      </div>
      {listed.total > 1 && (
        <p className="noscript:hidden mt-6 flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <label htmlFor={`${id}-order`} className="font-medium text-sm">
            Trier les avis
          </label>
          <select
            id={`${id}-order`}
            value={order}
            aria-busy={isReading}
            onChange={(event) => choose(event.target.value as ReviewOrder)}
            className="control w-auto!"
          >
            {Object.entries(ORDERS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </p>
      )}
      {hasFailed && <Alert kind="error" messages={[LOAD_FAILED]} className="mt-4" />}
      <Reviews reviews={sorted.slice(0, firstShown)} />
      {hidden > 0 && (
        <>
          <div
            id={`${id}-more`}
            className={isOpen ? "border-line border-t" : "hidden noscript:block"}
          >
            {(isOpen || !isHydrated) && <Reviews reviews={sorted.slice(firstShown)} />}
          </div>
          <div className="noscript:hidden mt-4 flex flex-wrap gap-3">
            {isOpen && !isComplete && (
              <Button busy={isReading} onClick={() => readMore(listed.order, listed.items)}>
                Afficher les avis suivants
              </Button>
            )}
            <Button
              variant="secondary"
              aria-expanded={isOpen}
              aria-controls={`${id}-more`}
              onClick={toggle}
            >
              {isOpen ? "Voir moins" : `Voir plus (${hidden} avis supplémentaires)`}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function without(id: number | null, { order, items, total }: Listed): Listed {
  const left = items.filter((review) => review.id !== id);
  return { order, items: left, total: total - (items.length - left.length) };
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
