"use client";

import { useRef, useState } from "react";
import type { PublishedReview, ReviewOrder } from "@/lib/reviews/rules";

export type ReviewList = {
  order: ReviewOrder;
  items: readonly PublishedReview[];
  total: number;
};

/**
 * A product's reviews as far as they are loaded, in an order that the visitor chooses.
 *
 * @param first the reviews that came with the page, most recent first
 * @param withdrawnId the visitor's own review, no longer published
 */
export function useReviewList({
  productId,
  first,
  withdrawnId,
}: {
  productId: number;
  first: Omit<ReviewList, "order">;
  withdrawnId: number | null;
}) {
  const [order, setOrder] = useState<ReviewOrder>("newest");
  /** The order that is being loaded, if another one is shown. */
  const [requestedOrder, setRequestedOrder] = useState<ReviewOrder | null>(null);
  const [loaded, setLoaded] = useState<ReviewList | null>(null);
  const [isLoading, setLoading] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const lastRequest = useRef(0);

  const list = without(withdrawnId, loaded ?? { order: "newest", ...first });
  const isComplete = list.items.length >= list.total;

  /** Loads the reviews after the known ones, or another order from its beginning. */
  async function load(nextOrder: ReviewOrder, known: readonly PublishedReview[]) {
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
    // Ignores a pending response: it is for another order.
    lastRequest.current += 1;
    setLoading(false);
    setFailed(false);
    setRequestedOrder(isComplete ? null : nextOrder);
    if (isComplete) setOrder(nextOrder);
    else void load(nextOrder, []);
  }

  const loadMore = () => load(list.order, list.items);
  return { list, isComplete, order, requestedOrder, isLoading, hasFailed, choose, loadMore };
}

/** Removes the visitor's own review from a list loaded before it was withdrawn. */
function without(id: number | null, { order, items, total }: ReviewList): ReviewList {
  const remaining = items.filter((review) => review.id !== id);
  return { order, items: remaining, total: total - (items.length - remaining.length) };
}
