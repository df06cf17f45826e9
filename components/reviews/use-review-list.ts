"use client";

import { useRef, useState } from "react";
import { compareReviews, type PublishedReview, type ReviewView } from "@/lib/reviews/rules";

/** Reviews that were loaded, for a view. */
export interface ReviewList {
  view: ReviewView;
  items: readonly PublishedReview[];
  total: number;
}

/** What the page contains: all ratings, most recent first. */
const FIRST_VIEW: ReviewView = { order: "newest", stars: null };

/**
 * A product's reviews as far as they are loaded, in an order and with a rating that the visitor chooses.
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
  first: Omit<ReviewList, "view">;
  withdrawnId: number | null;
}) {
  const [view, setView] = useState(FIRST_VIEW);
  /** The view that is being loaded, if another one is shown. */
  const [requested, setRequested] = useState<ReviewView | null>(null);
  const [loaded, setLoaded] = useState<ReviewList | null>(null);
  const [isLoading, setLoading] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const lastRequest = useRef(0);

  const page = without(withdrawnId, { view: FIRST_VIEW, ...first });
  const source = without(withdrawnId, loaded) ?? page;
  const list = contains(source, view) ? viewOf(source, view) : source;

  /** Loads the reviews after the known ones, or another view from its beginning. */
  async function load(next: ReviewView, known: readonly PublishedReview[]) {
    lastRequest.current += 1;
    const request = lastRequest.current;
    setLoading(true);
    setFailed(false);
    try {
      const { listFurtherReviews } = await import("@/lib/reviews/client");
      const { items, total } = await listFurtherReviews({ productId, view: next, known });
      if (lastRequest.current !== request) return;
      setLoaded({ view: next, items: [...known, ...items], total });
      setView(next);
    } catch {
      if (lastRequest.current !== request) return;
      setFailed(true);
    }
    setRequested(null);
    setLoading(false);
  }

  function choose(change: Partial<ReviewView>) {
    const next = { ...(requested ?? view), ...change };
    // Ignores a pending response: it is for another view.
    lastRequest.current += 1;
    setLoading(false);
    setFailed(false);
    const known = [source, page].find((candidate) => contains(candidate, next));
    setRequested(known ? null : next);
    if (!known) return void load(next, []);
    setLoaded(known === page ? null : known);
    setView(next);
  }

  return {
    list,
    isComplete: list.items.length >= list.total,
    /** The chosen view, which may still be loading. */
    chosen: requested ?? view,
    isLoading,
    hasFailed,
    choose,
    loadMore: () => load(source.view, source.items),
  };
}

/** Does the list hold every review of a view? */
function contains({ view, items, total }: ReviewList, { stars }: ReviewView): boolean {
  return items.length >= total && (view.stars === null || view.stars === stars);
}

/** The part of a complete list that a view shows. */
function viewOf(list: ReviewList, view: ReviewView): ReviewList {
  if (list.view.order === view.order && list.view.stars === view.stars) return list;
  const items = list.items
    .filter(({ rating }) => view.stars === null || rating === view.stars)
    .sort(compareReviews(view.order));
  return { view, items, total: items.length };
}

/** Removes the visitor's own review from a list loaded before it was withdrawn. */
function without<List extends ReviewList | null>(id: number | null, list: List): List {
  if (list === null) return list;
  const remaining = list.items.filter((review) => review.id !== id);
  const total = list.total - (list.items.length - remaining.length);
  return { ...list, items: remaining, total };
}
