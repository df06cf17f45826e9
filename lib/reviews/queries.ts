import { and, asc, count, desc, eq, exists, max, or } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { db, type Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { orderLines, orders } from "@/db/schema/orders";
import { reviews } from "@/db/schema/reviews";
import { contains } from "@/db/search-text";
import { isOnSale } from "@/lib/catalogue/product-rows";
import { fail } from "@/lib/errors/failure";
import { countedPage, type Page, type PageRequest } from "@/lib/http/api/paging";
import {
  authorName,
  type PublishedReview,
  type RatingCounts,
  type ReviewStatus,
} from "@/lib/reviews/rules";
import { isAdmin } from "@/lib/roles";

/** Reviews in a product's page; further ones are loaded through the API. */
const PAGE_REVIEWS = 50;

/** The first validated reviews of a product, most recent first, and the number of all by their rating. */
export async function listPublishedReviews(
  productId: number,
): Promise<{ items: PublishedReview[]; total: number; ratings: RatingCounts }> {
  const isPublished = and(eq(reviews.productId, productId), eq(reviews.status, "VALIDATED"));
  const [rows, counts] = await Promise.all([
    db
      .select({
        id: reviews.id,
        rating: reviews.rating,
        content: reviews.content,
        publishedAt: reviews.publishedAt,
        purchasedAt: reviews.purchasedAt,
        firstName: users.firstName,
        lastName: users.lastName,
      })
      .from(reviews)
      .innerJoin(users, eq(users.id, reviews.userId))
      .where(isPublished)
      .orderBy(desc(reviews.publishedAt), desc(reviews.id))
      .limit(PAGE_REVIEWS),
    // Reads the index reviews_product_rating_idx only.
    db
      .select({ rating: reviews.rating, count: count() })
      .from(reviews)
      .where(isPublished)
      .groupBy(reviews.rating),
  ]);
  const items = rows.map(({ firstName, lastName, publishedAt, purchasedAt, ...review }) => ({
    ...review,
    publishedAt: publishedAt.toISOString(),
    purchasedAt: purchasedAt?.toISOString() ?? null,
    author: authorName({ firstName, lastName }),
  }));
  return {
    items,
    total: counts.reduce((sum, each) => sum + each.count, 0),
    ratings: Object.fromEntries(counts.map((each) => [each.rating, each.count])),
  };
}

export interface Viewer {
  id: number;
  isAdmin: boolean;
}

/** A review with its author, for one viewer. */
export type ReviewRow = SelectResultFields<typeof reviewColumns> & {
  /** Whether the viewer is the author or an administrator, who see private fields. */
  hasFullAccess: boolean;
};

export function viewerOf(user: { id: number; roles: readonly string[] }): Viewer {
  return { id: user.id, isAdmin: isAdmin(user) };
}

const reviewColumns = {
  id: reviews.id,
  content: reviews.content,
  rating: reviews.rating,
  status: reviews.status,
  publishedAt: reviews.publishedAt,
  purchasedAt: reviews.purchasedAt,
  rejectionReason: reviews.rejectionReason,
  productId: reviews.productId,
  author: { id: users.id, firstName: users.firstName, lastName: users.lastName },
};

type Direction = "asc" | "desc";

interface ReviewFilters {
  userId?: number | undefined;
  status?: ReviewStatus | undefined;
  rating?: number | undefined;
  search?: string | undefined;
  ratingSort?: Direction | undefined;
  dateSort?: Direction | undefined;
}

/** A product's validated reviews and the viewer's own review; only administrators see those of a draft. */
export async function listProductReviews({
  productId,
  viewer,
  userId,
  status,
  rating,
  search,
  ratingSort,
  dateSort,
  ...request
}: { productId: number; viewer: Viewer | null } & ReviewFilters & PageRequest): Promise<
  Page<ReviewRow>
> {
  const product = db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.id, productId), isOnSale()));
  const matches = and(
    eq(reviews.productId, productId),
    viewer?.isAdmin ? undefined : exists(product),
    or(eq(reviews.status, "VALIDATED"), viewer ? eq(reviews.userId, viewer.id) : undefined),
    userId === undefined ? undefined : eq(reviews.userId, userId),
    status === undefined ? undefined : eq(reviews.status, status),
    rating === undefined ? undefined : eq(reviews.rating, rating),
    search ? contains(reviews.content, search) : undefined,
  );
  const byDate = dateSort === "asc" ? asc : desc;
  const byRating = ratingSort && (ratingSort === "asc" ? asc : desc)(reviews.rating);
  const { items, total } = await countedPage({
    request,
    count: () => db.$count(reviews, matches),
    read: ({ limit, offset }) =>
      db
        .select(reviewColumns)
        .from(reviews)
        .innerJoin(users, eq(users.id, reviews.userId))
        .where(matches)
        .orderBy(...(byRating ? [byRating] : []), byDate(reviews.publishedAt), byDate(reviews.id))
        .limit(limit)
        .offset(offset),
  });
  return { items: items.map((row) => asSeenBy(viewer, row)), total };
}

const asSeenBy = (viewer: Viewer | null, row: SelectResultFields<typeof reviewColumns>) => ({
  ...row,
  hasFullAccess: viewer !== null && (viewer.isAdmin || row.author.id === viewer.id),
});

/** @throws 404 for a review that is unknown, or that the viewer may not see */
export async function requireReview({
  id,
  viewer,
  tx = db,
}: {
  id: number;
  viewer: Viewer | null;
  tx?: Pick<Transaction, "select">;
}): Promise<ReviewRow> {
  const [row] = await tx
    .select({ ...reviewColumns, productStatus: products.status })
    .from(reviews)
    .innerJoin(users, eq(users.id, reviews.userId))
    .innerJoin(products, eq(products.id, reviews.productId))
    .where(eq(reviews.id, id));
  if (!row) throw fail.notFound();
  const { productStatus, ...read } = row;
  const review = asSeenBy(viewer, read);
  const isPublic = review.status === "VALIDATED" && productStatus === "active";
  if (!review.hasFullAccess && !isPublic) throw fail.notFound();
  return review;
}

/** When a user last bought a product; null if never. */
export async function getPurchaseDate({
  userId,
  productId,
  tx = db,
}: {
  userId: number;
  productId: number;
  tx?: Pick<Transaction, "select">;
}): Promise<Date | null> {
  const [bought] = await tx
    .select({ date: max(orders.orderedAt) })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .where(and(eq(orders.userId, userId), eq(orderLines.productId, productId)));
  return bought?.date ?? null;
}
