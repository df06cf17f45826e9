import { and, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { products } from "@/db/schema/catalogue";
import { reviews } from "@/db/schema/reviews";
import { isOnSale } from "@/lib/catalogue/product-rows";
import { fail } from "@/lib/errors/failure";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { getPurchaseDate, type ReviewRow, requireReview, type Viewer } from "@/lib/reviews/queries";
import type { ReviewFields } from "@/lib/reviews/schemas";
import { ALREADY_REVIEWED, BUY_TO_REVIEW, UNKNOWN_PRODUCT } from "@/lib/reviews/texts";

/**
 * Writes a buyer's review, which is moderated before others see it.
 *
 * @throws 404 for an unknown product, 403 if the user did not buy it, 409 for a second review
 */
export async function createReview({
  viewer,
  productId,
  content,
  rating,
}: { viewer: Viewer; productId: number } & ReviewFields): Promise<ReviewRow> {
  const { id: userId } = viewer;
  return db.transaction(async (tx) => {
    const [product] = await tx
      .select({ id: products.id })
      .from(products)
      .where(and(eq(products.id, productId), isOnSale()))
      .for("key share");
    if (!product) throw fail.notFound(UNKNOWN_PRODUCT);
    const purchasedAt = await getPurchaseDate({ tx, userId, productId });
    if (purchasedAt === null) throw fail.forbidden(BUY_TO_REVIEW);
    // The unique key lets only one of concurrent requests succeed.
    const [created] = await tx
      .insert(reviews)
      .values({ userId, productId, content, rating, purchasedAt })
      .onConflictDoNothing({ target: [reviews.userId, reviews.productId] })
      .returning({ id: reviews.id });
    if (!created) throw fail.conflict(ALREADY_REVIEWED);
    return requireReview({ tx, id: created.id, viewer });
  });
}

/**
 * Changes the given fields of the viewer's own review. The review waits for a moderator again, and gets the
 * date of the change: a review's date is the date of its text.
 *
 * @throws 404 for an unknown review, 403 for another user's review
 */
export async function updateReview({
  viewer,
  id,
  ...change
}: { viewer: Viewer; id: number } & Partial<ReviewFields>): Promise<ReviewRow> {
  const { before, after } = await db.transaction(async (tx) => {
    const before = await lockOwnReview(tx, { id, viewer });
    await tx
      .update(reviews)
      .set({
        ...change,
        status: "PENDING",
        rejectionReason: null,
        publishedAt: sql`now()`,
        ...nextVersion(reviews),
      })
      .where(eq(reviews.id, id));
    return { before, after: await requireReview({ tx, id, viewer }) };
  });
  await expireReviews({ productId: before.productId, statuses: [before.status] });
  return after;
}

/** Deletes the viewer's own review. @throws 404 for an unknown review, 403 for another user's review */
export async function deleteReview({ viewer, id }: { viewer: Viewer; id: number }): Promise<void> {
  const { productId, status } = await db.transaction(async (tx) => {
    const review = await lockOwnReview(tx, { id, viewer });
    await tx.delete(reviews).where(eq(reviews.id, id));
    return review;
  });
  await expireReviews({ productId, statuses: [status] });
}

/**
 * Expires the cached pages that show a product's reviews, if the change concerns a published review.
 *
 * @param statuses the review's statuses before and after the change
 */
export async function expireReviews({
  productId,
  statuses,
}: {
  productId: number;
  statuses: readonly ReviewRow["status"][];
}): Promise<void> {
  // The catalogue's lists show the average rating, and the home page is sorted by it.
  if (statuses.includes("VALIDATED"))
    await invalidate([CACHE_TAGS.catalogue, CACHE_TAGS.product(productId)]);
}

/**
 * Locks the viewer's review. First it locks the product, whose rating changes: the deletion of a product
 * locks in the same order.
 *
 * @throws 404 for a review that is unknown, or that the viewer may not see, 403 for another user's review
 */
async function lockOwnReview(
  tx: Transaction,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<ReviewRow> {
  const { productId } = await requireReview({ tx, id, viewer });
  await tx
    .select({ id: products.id })
    .from(products)
    .where(eq(products.id, productId))
    .for("no key update");
  await tx
    .select({ id: reviews.id })
    .from(reviews)
    .where(and(eq(reviews.id, id), eq(reviews.productId, productId)))
    .for("update");
  const review = await requireReview({ tx, id, viewer });
  if (review.author.id !== viewer.id) throw fail.forbidden();
  return review;
}
