import { and, count, desc, eq } from "drizzle-orm";
import { db } from "@/db";
import { users } from "@/db/schema/auth";
import { reviews } from "@/db/schema/reviews";

/** Reviews that a product's page holds; further ones are read through the API. */
const PAGE_REVIEWS = 50;

export type PublishedReview = {
  id: number;
  rating: number;
  content: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  /** "Camille D.": the family name is nobody's business. */
  author: string;
};

/** The validated reviews of a product, most recent first, with how many there are in all. */
export async function listPublishedReviews({ productId }: { productId: number }) {
  const isPublished = and(eq(reviews.productId, productId), eq(reviews.status, "VALIDATED"));
  const [rows, [counted]] = await Promise.all([
    db
      .select({
        id: reviews.id,
        rating: reviews.rating,
        content: reviews.content,
        publishedAt: reviews.publishedAt,
        firstName: users.firstName,
        lastName: users.lastName,
      })
      .from(reviews)
      .innerJoin(users, eq(users.id, reviews.userId))
      .where(isPublished)
      .orderBy(desc(reviews.publishedAt), desc(reviews.id))
      .limit(PAGE_REVIEWS),
    db.select({ total: count() }).from(reviews).where(isPublished),
  ]);
  const items: PublishedReview[] = rows.map(({ firstName, lastName, publishedAt, ...review }) => ({
    ...review,
    publishedAt: publishedAt.toISOString(),
    author: `${firstName} ${lastName.charAt(0)}.`,
  }));
  return { items, total: counted?.total ?? 0 };
}
