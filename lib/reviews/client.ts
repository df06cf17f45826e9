import { callApi, ignoreMissing, type ListJson, membersOf, totalOf } from "@/lib/api-client";
import { ApiError } from "@/lib/api-error";
import type { JsonOf } from "@/lib/http/api/resource";
import type { reviewResource } from "./resource";
import { authorName, type PublishedReview, type ReviewOrder } from "./rules";
import type { ReviewFields } from "./schemas";

export type ReviewJson = JsonOf<typeof reviewResource>;

/** Reviews that one call brings. */
const PAGE_SIZE = 50;

const ORDER_QUERY: Record<ReviewOrder, string> = {
  newest: "order[datePublication]=desc",
  best: "order[rating]=desc",
  worst: "order[rating]=asc",
};

const fetchReviews = (path: string, as: "none" | { token: string }) =>
  callApi<ListJson<ReviewJson>>(path, { as, accept: "application/ld+json" });

/**
 * GET /api/reviews: the next of a product's validated reviews, in some order.
 *
 * @param known those that are read already; what was published meanwhile has moved the others on
 * @throws ApiError
 */
export async function listFurtherReviews({
  productId,
  order,
  known,
}: {
  productId: number;
  order: ReviewOrder;
  known: readonly PublishedReview[];
}): Promise<{ items: PublishedReview[]; total: number }> {
  const ids = new Set(known.map(({ id }) => id));
  for (let page = Math.floor(known.length / PAGE_SIZE) + 1; ; page++) {
    const path = `/api/reviews?product=${productId}&${ORDER_QUERY[order]}&itemsPerPage=${PAGE_SIZE}&page=${page}`;
    const answer = await fetchReviews(path, "none");
    const items = membersOf(answer)
      .map(publishedReview)
      .filter(({ id }) => !ids.has(id));
    const total = totalOf(answer);
    if (items.length > 0) return { items, total };
    // What is missing stands before the known ones: the page has it when it is opened again.
    if (page * PAGE_SIZE >= total) return { items, total: known.length };
  }
}

/** The review as it is, or would be, in the list of a product's page. */
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

/** What a product's page has to know of a visitor who is logged in. */
export interface Authorship {
  /** Their review, whatever its state. */
  review: ReviewJson | null;
  hasPurchased: boolean;
}

/**
 * GET /api/reviews and /api/check-purchase/{id}. Nobody is led to the login by it, since the
 * visitor did not ask for it: null for a session that is over.
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

/** DELETE /api/reviews/{id}; succeeds where it was deleted already. @throws ApiError */
export const deleteReview = (id: number): Promise<void> =>
  ignoreMissing(callApi(`/api/reviews/${id}`, { method: "DELETE", as: "session" }));
