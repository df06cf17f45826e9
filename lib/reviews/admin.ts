import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { reviews } from "@/db/schema/reviews";
import { reviewText } from "@/db/search-text";
import { refuseDuplicate } from "@/db/unique";
import { type Act, type Creation, recordChange, type Update } from "@/lib/audit/mutations";
import { type ByIds, isAmong, listOf } from "@/lib/backoffice/list";
import { listSource } from "@/lib/backoffice/list-source";
import { personColumns, requirePerson } from "@/lib/backoffice/people";
import { personTarget, type SearchTarget, textTarget } from "@/lib/backoffice/search";
import { REVIEW_STATUS_LABELS, UNKNOWN_PRODUCT } from "@/lib/backoffice/texts";
import { requireVersion } from "@/lib/backoffice/version";
import { productsNamed } from "@/lib/catalogue/search/words";
import { fail } from "@/lib/errors";
import { momentCell } from "@/lib/http/api/csv";
import { expireReviews } from "@/lib/reviews/mutations";
import { getPurchaseDate } from "@/lib/reviews/queries";
import { ALREADY_REVIEWED_BY_USER } from "@/lib/reviews/texts";
import { adminReviewResource } from "./admin-resource";
import type { AdminReviewChange, AdminReviewInput, ReviewListQuery } from "./admin-schemas";

export type AdminReviewRow = Awaited<ReturnType<typeof readReviews>>[number];

async function readReviews({ ids, tx = db }: ByIds) {
  return tx
    .select({
      id: reviews.id,
      content: reviews.content,
      rating: reviews.rating,
      status: reviews.status,
      publishedAt: reviews.publishedAt,
      purchasedAt: reviews.purchasedAt,
      rejectionReason: reviews.rejectionReason,
      version: reviews.version,
      product: { id: products.id, name: products.name },
      user: personColumns,
    })
    .from(reviews)
    .innerJoin(products, eq(products.id, reviews.productId))
    .innerJoin(users, eq(users.id, reviews.userId))
    .where(isAmong(reviews.id, ids));
}

/** Searches the product's name. */
async function productTarget(pattern: string): Promise<SearchTarget> {
  const names = await productsNamed(pattern);
  return {
    condition: sql`(select ${names.condition} from products p where p.id = r.product_id)`,
    indexCondition: names.indexCondition,
    join: sql`join products p on p.id = r.product_id`,
  };
}

/** All reviews, by default newest first. */
export const {
  page: listEveryReview,
  table: exportReviews,
  one: requireAnyReview,
} = listOf({
  sourceOf: listSource<ReviewListQuery>({
    from: sql`reviews r`,
    id: sql`r.id`,
    sorts: { rating: sql`r.rating`, datePublication: sql`r.published_at` },
    date: "datePublication",
    equal: { status: sql`r.status`, rating: sql`r.rating`, user: sql`r.user_id` },
    targetsFor: async (pattern) => [
      await productTarget(pattern),
      personTarget({ pattern, userId: sql`r.user_id` }),
      textTarget({ pattern, text: reviewText("r") }),
    ],
  }),
  read: readReviews,
  fileName: "avis",
  columns: {
    ID: ({ id }) => id,
    Produit: ({ product }) => product.name,
    Nom: ({ user }) => user.name,
    Prénom: ({ user }) => user.lastname,
    Email: ({ user }) => user.email,
    Note: ({ rating }) => rating,
    Contenu: ({ content }) => content,
    Statut: ({ status }) => REVIEW_STATUS_LABELS[status],
    "Motif du rejet": ({ rejectionReason }) => rejectionReason,
    Date: ({ datePublication }) => momentCell(datePublication),
  },
  toJson: adminReviewResource.toJson,
});

const DUPLICATES = { reviews_user_product_key: () => fail.conflict(ALREADY_REVIEWED_BY_USER) };

/** Writes a review for a user. @throws 409 for a second review, 422 for an unknown user or product */
export async function createReviewFor({
  actor,
  input,
}: Creation<AdminReviewInput>): Promise<AdminReviewRow> {
  const review = await db
    .transaction(async (tx) => {
      const { product: productId, user: userId, rejectionReason: reason, ...fields } = input;
      await requirePerson(tx, userId);
      await lockProducts(tx, [productId]);
      const purchasedAt = await getPurchaseDate({ tx, userId, productId });
      const rejectionReason = reasonFor(fields.status, reason);
      const [created] = await tx
        .insert(reviews)
        .values({ ...fields, productId, userId, rejectionReason, purchasedAt })
        .returning({ id: reviews.id });
      if (!created) throw new Error("The review was not written.");
      const review = await requireAnyReview({ id: created.id, tx });
      const after = adminReviewResource.toJson(review);
      await recordChange(tx, { actor, entity: "Review", id: review.id, before: null, after });
      return review;
    })
    .catch(refuseDuplicate(DUPLICATES));
  await expireReviews({ productId: review.product.id, statuses: [review.status] });
  return review;
}

/**
 * Changes the given fields of a review, mostly for moderation.
 *
 * @throws 404, 409 for a stale version or a second review, 422 for an unknown user or product
 */
export async function updateAnyReview({
  actor,
  id,
  input,
}: Update<AdminReviewChange>): Promise<AdminReviewRow> {
  const { before, review } = await db
    .transaction(async (tx) => {
      const before = await lockReview(tx, { id, productId: input.product, userId: input.user });
      const json = adminReviewResource.toJson(before);
      await requireVersion(tx, { entity: "Review", sent: input.version, current: json });
      const userId = input.user ?? before.user.id;
      const productId = input.product ?? before.product.id;
      const isMoved = userId !== before.user.id || productId !== before.product.id;
      const status = input.status ?? before.status;
      const reason =
        input.rejectionReason === undefined ? before.rejectionReason : input.rejectionReason;
      await tx
        .update(reviews)
        .set({
          productId,
          userId,
          rating: input.rating,
          content: input.content,
          status,
          rejectionReason: reasonFor(status, reason),
          ...(isMoved && { purchasedAt: await getPurchaseDate({ tx, userId, productId }) }),
          ...nextVersion(reviews),
        })
        .where(eq(reviews.id, id));
      const review = await requireAnyReview({ id, tx });
      const after = adminReviewResource.toJson(review);
      await recordChange(tx, { actor, entity: "Review", id, before: json, after });
      return { before, review };
    })
    .catch(refuseDuplicate(DUPLICATES));
  const statuses = [before.status, review.status];
  for (const productId of new Set([before.product.id, review.product.id]))
    await expireReviews({ productId, statuses });
  return review;
}

/** Deletes anybody's review. @throws 404 */
export async function deleteAnyReview({ actor, id }: Act): Promise<void> {
  const review = await db.transaction(async (tx) => {
    const review = await lockReview(tx, { id });
    await tx.delete(reviews).where(eq(reviews.id, id));
    const before = adminReviewResource.toJson(review);
    await recordChange(tx, { actor, entity: "Review", id, before, after: null });
    return review;
  });
  await expireReviews({ productId: review.product.id, statuses: [review.status] });
}

/** Only a rejection has a reason. */
const reasonFor = (status: AdminReviewRow["status"], reason: string | null | undefined) =>
  status === "REJECTED" ? reason || null : null;

/** Locks products, whose ratings change with the reviews: always before the reviews. */
async function lockProducts(tx: Transaction, ids: readonly number[]): Promise<void> {
  const found = await tx
    .select({ id: products.id })
    .from(products)
    .where(isAmong(products.id, ids))
    .orderBy(products.id)
    .for("no key update");
  if (found.length < new Set(ids).size) throw fail.violation("product", UNKNOWN_PRODUCT);
}

/** Locks the current and new author and product, then the review. An erasure locks in the same order. */
async function lockReview(
  tx: Transaction,
  {
    id,
    productId,
    userId,
  }: { id: number; productId?: number | undefined; userId?: number | undefined },
): Promise<AdminReviewRow> {
  const { product, user } = await requireAnyReview({ id, tx });
  const authors = new Set([user.id, userId ?? user.id]);
  for (const author of [...authors].sort((a, b) => a - b)) await requirePerson(tx, author);
  await lockProducts(tx, [product.id, productId ?? product.id]);
  await tx.select({ id: reviews.id }).from(reviews).where(eq(reviews.id, id)).for("update");
  return requireAnyReview({ id, tx });
}
