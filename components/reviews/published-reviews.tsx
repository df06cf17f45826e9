"use client";

import { lazy, Suspense, useId, useRef, useState } from "react";
import { ReviewItem } from "@/components/reviews/review-item";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useHydrated } from "@/components/ui/use-hydrated";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { useSession } from "@/lib/browser-session";
import {
  compareReviews,
  FIRST_SHOWN,
  type PublishedReview,
  type ReviewOrder,
} from "@/lib/reviews/rules";
import { LOAD_FAILED } from "@/lib/reviews/texts";

// Lazy: for visitors who are logged in.
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
 * The validated reviews in the order of the visitor's choice; the further ones unfold, or are all
 * shown without JavaScript. The visitor's own comes first, whatever its status.
 */
export function PublishedReviews({ productId, reviews, total }: PublishedReviewsProps) {
  const { token, userId } = useSession();
  const [own, setOwn] = useState<{ id: number; isPublished: boolean } | null>(null);
  const [withdrawnId, setWithdrawnId] = useState<number | null>(null);
  const [order, setOrder] = useState<ReviewOrder>("newest");
  /** Another order that is still being loaded. */
  const [requestedOrder, setRequestedOrder] = useState<ReviewOrder | null>(null);
  const [loaded, setLoaded] = useState<Listed | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const lastRequest = useRef(0);
  const id = useId();
  const isHydrated = useHydrated();

  // The list may have been loaded before the visitor's own review was withdrawn.
  const listed = without(withdrawnId, loaded ?? { order: "newest", items: reviews, total });
  const isComplete = listed.items.length >= listed.total;
  const isOwnListed =
    own !== null && (own.isPublished || listed.items.some((r) => r.id === own.id));
  const others = listed.items.filter((review) => review.id !== own?.id);
  const sorted = listed.order === order ? others : [...others].sort(compareReviews(order));
  const firstShown = own ? FIRST_SHOWN - 1 : FIRST_SHOWN;
  const hidden = listed.total - (isOwnListed ? 1 : 0) - firstShown;

  /** Loads the reviews after the known ones, or another order from its beginning. */
  async function loadMore(nextOrder: ReviewOrder, known: readonly PublishedReview[]) {
    lastRequest.current += 1;
    const request = lastRequest.current;
    setLoading(true);
    setFailed(false);
    try {
      const { listFurtherReviews } = await import("@/lib/reviews/client");
      const { items, total } = await listFurtherReviews({ productId, order: nextOrder, known });
      if (lastRequest.current !== request) return;
      setLoaded({ order: nextOrder, items: [...known, ...items], total });
      setOrder(nextOrder);
    } catch {
      if (lastRequest.current !== request) return;
      setFailed(true);
    }
    setRequestedOrder(null);
    setLoading(false);
  }

  function choose(nextOrder: ReviewOrder) {
    // A response that is still pending is for another order.
    lastRequest.current += 1;
    setLoading(false);
    setFailed(false);
    setRequestedOrder(isComplete ? null : nextOrder);
    if (isComplete) setOrder(nextOrder);
    else void loadMore(nextOrder, []);
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
            value={requestedOrder ?? order}
            aria-busy={isLoading}
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
      {hasFailed && (
        <Alert kind="error" className="mt-4">
          {LOAD_FAILED}
        </Alert>
      )}
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
              <Button busy={isLoading} onClick={() => loadMore(listed.order, listed.items)}>
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
  const remaining = items.filter((review) => review.id !== id);
  return { order, items: remaining, total: total - (items.length - remaining.length) };
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
