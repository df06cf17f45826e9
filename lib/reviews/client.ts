import { callApi, ignoreMissing } from "@/lib/api-client";
import { ApiError } from "@/lib/api-error";
import type { JsonOf } from "@/lib/http/api/resource";
import { type ListJson, membersOf, totalOf } from "@/lib/public-api";
import type { reviewResource } from "./resource";
import { authorName, type PublishedReview, type ReviewOrder, type ReviewView } from "./rules";
import type { ReviewFields } from "./schemas";

export type ReviewJson = JsonOf<typeof reviewResource>;

/** Reviews per request. */
const PAGE_SIZE = 50;

const ORDER_QUERY: Record<ReviewOrder, string> = {
  newest: "order[datePublication]=desc",
  best: "order[rating]=desc",
  worst: "order[rating]=asc",
};

const fetchReviews = (path: string, as: "none" | { token: string }) =>
  callApi<ListJson<ReviewJson>>(path, { as, accept: "application/ld+json" });

/**
 * GET /api/reviews: the next validated reviews of a product, in an order, with any or one rating.
 *
 * @param known the reviews already read; reviews published since then shift the pages
 * @throws ApiError
 */
export async function listFurtherReviews({
  productId,
  view: { order, stars },
  known,
}: {
  productId: number;
  view: ReviewView;
  known: readonly PublishedReview[];
}): Promise<{ items: PublishedReview[]; total: number }> {
  const ids = new Set(known.map(({ id }) => id));
  for (let page = Math.floor(known.length / PAGE_SIZE) + 1; ; page++) {
    const rating = stars === null ? "" : `&rating=${stars}`;
    const path = `/api/reviews?product=${productId}&${ORDER_QUERY[order]}${rating}&itemsPerPage=${PAGE_SIZE}&page=${page}`;
    const answer = await fetchReviews(path, "none");
    const items = membersOf(answer)
      .map(publishedReview)
      .filter(({ id }) => !ids.has(id));
    const total = totalOf(answer);
    if (items.length > 0) return { items, total };
    // Missing reviews come before the known ones; the page shows them when it is opened again.
    if (page * PAGE_SIZE >= total) return { items, total: known.length };
  }
}

/** Converts one's own review, published or not, to the form of a product page's list. */
export function publishedReview(review: ReviewJson): PublishedReview {
  return {
    id: review.id,
    rating: review.rating,
    content: review.content,
    publishedAt: review.datePublication,
    purchasedAt: review.datePurchase,
    author: authorName({ firstName: review.user.lastname, lastName: review.user.name }),
  };
}

/** The data about a logged-in visitor that a product's page needs. */
export interface Authorship {
  /** The visitor's review, in any state. */
  review: ReviewJson | null;
  hasPurchased: boolean;
}

/**
 * GET /api/reviews and /api/check-purchase/{id}. Returns null for an expired session, without a redirect to
 * the login, since the visitor did not ask for this request.
 *
 * @throws ApiError
 */
export async function getAuthorship({
  productId,
  userId,
  token,
}: {
  productId: number;
  userId: number | null;
  token: string;
}): Promise<Authorship | null> {
  try {
    const [list, { hasPurchased }] = await Promise.all([
      userId === null
        ? null
        : fetchReviews(`/api/reviews?product=${productId}&user=${userId}`, { token }),
      callApi<{ hasPurchased: boolean }>(`/api/check-purchase/${productId}`, { as: { token } }),
    ]);
    const own = list && membersOf(list).find(({ user }) => user.id === userId);
    return { review: own ?? null, hasPurchased };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** POST /api/reviews_create. @throws ApiError */
export function createReview({
  productId,
  ...fields
}: ReviewFields & { productId: number }): Promise<ReviewJson> {
  const json = { ...fields, product: `/api/products/${productId}` };
  return callApi("/api/reviews_create", { method: "POST", json, as: "session" });
}

/** PUT /api/reviews_edit/{id}. @throws ApiError */
export function updateReview({ id, ...json }: ReviewFields & { id: number }): Promise<ReviewJson> {
  return callApi(`/api/reviews_edit/${id}`, { method: "PUT", json, as: "session" });
}

/** DELETE /api/reviews/{id}; succeeds if it is already deleted. @throws ApiError */
export const deleteReview = (id: number): Promise<void> =>
  ignoreMissing(callApi(`/api/reviews/${id}`, { method: "DELETE", as: "session" }));
