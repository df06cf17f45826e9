import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { reviews } from "@/db/schema/reviews";
import { reviewText } from "@/db/search-text";
import { adminEntity, changeRow, insertRow } from "@/lib/backoffice/entity";
import type { ByIds } from "@/lib/backoffice/list";
import { personColumns, requirePerson } from "@/lib/backoffice/people";
import { personTarget, type SearchTarget, textTarget } from "@/lib/backoffice/search";
import { REVIEW_STATUS_LABELS, UNKNOWN_PRODUCT } from "@/lib/backoffice/texts";
import { productsNamed } from "@/lib/catalogue/search/words";
import { fail } from "@/lib/errors/failure";
import { momentCell } from "@/lib/http/api/csv";
import { expireReviews } from "@/lib/reviews/mutations";
import { getPurchaseDate } from "@/lib/reviews/queries";
import { ALREADY_REVIEWED_BY_USER } from "@/lib/reviews/texts";
import { adminReviewResource } from "./admin-resource";
import { adminReviewChange, adminReviewInput, reviewListQuery } from "./admin-schemas";

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
export const adminReviews = adminEntity({
  entity: "Review",
  table: reviews,
  resource: adminReviewResource,
  query: reviewListQuery,
  source: {
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
  },
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
  input: adminReviewInput,
  change: adminReviewChange,
  duplicates: { reviews_user_product_key: () => fail.conflict(ALREADY_REVIEWED_BY_USER) },
  lock: lockReview,
  /** @throws 422 for an unknown user or product */
  create: async (tx, { input }) => {
    const { product: productId, user: userId, rejectionReason: reason, ...fields } = input;
    await requirePerson(tx, userId);
    await lockProducts(tx, [productId]);
    const purchasedAt = await getPurchaseDate({ tx, userId, productId });
    const rejectionReason = reasonFor(fields.status, reason);
    return insertRow(tx, reviews, { ...fields, productId, userId, rejectionReason, purchasedAt });
  },
  /** Mostly for moderation. @throws 422 for an unknown user or product */
  update: async (tx, { id, input, current }) => {
    const {
      user: userId = current.user.id,
      product: productId = current.product.id,
      status = current.status,
      rejectionReason: reason = current.rejectionReason,
      ...fields
    } = input;
    const isMoved = userId !== current.user.id || productId !== current.product.id;
    await changeRow(tx, reviews, {
      id,
      ...fields,
      productId,
      userId,
      status,
      rejectionReason: reasonFor(status, reason),
      ...(isMoved && { purchasedAt: await getPurchaseDate({ tx, userId, productId }) }),
    });
  },
  expire: async ({ before, after }) => {
    const states = [before, after].flatMap((review) => review ?? []);
    const statuses = states.map(({ status }) => status);
    for (const productId of new Set(states.map(({ product }) => product.id)))
      await expireReviews({ productId, statuses });
  },
});

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

/**
 * Locks the current and new author and product, then the review. An erasure locks in the same order.
 *
 * @throws 404, 422 for an unknown user or product
 */
async function lockReview(
  tx: Transaction,
  {
    id,
    input = {},
  }: { id: number; input?: { product?: number | undefined; user?: number | undefined } },
): Promise<void> {
  const isIts = eq(reviews.id, id);
  const [review] = await tx
    .select({ userId: reviews.userId, productId: reviews.productId })
    .from(reviews)
    .where(isIts);
  if (!review) throw fail.notFound();
  const authors = new Set([review.userId, input.user ?? review.userId]);
  for (const author of [...authors].sort((a, b) => a - b)) await requirePerson(tx, author);
  await lockProducts(tx, [review.productId, input.product ?? review.productId]);
  await tx.select({ id: reviews.id }).from(reviews).where(isIts).for("update");
}
