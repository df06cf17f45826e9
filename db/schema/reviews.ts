import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { reviewText } from "../search-text";
import { users } from "./auth";
import { products } from "./catalogue";
import { createdAt, identity, instant, partOf, updatedAt, version } from "./columns";

export const reviews = pgTable(
  "reviews",
  {
    id: identity(),
    productId: partOf("product_id", () => products.id),
    userId: partOf("user_id", () => users.id),
    /** 1 to 5 by customers; an administrator may store 0. */
    rating: integer("rating").notNull(),
    content: text("content").notNull(),
    status: text("status", { enum: ["PENDING", "VALIDATED", "REJECTED"] })
      .notNull()
      .default("PENDING"),
    /** What the moderator tells the author of a rejected review. */
    rejectionReason: text("rejection_reason"),
    /** When the reviewer bought the product: French law requires that reviews show it. */
    purchasedAt: instant("purchased_at"),
    publishedAt: instant("published_at").notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [
    uniqueIndex("reviews_user_product_key").on(t.userId, t.productId),
    index("reviews_product_idx").on(t.productId, t.status, t.publishedAt),
    // For the number of reviews by rating, and the reviews with one rating.
    index("reviews_product_rating_idx").on(t.productId, t.status, t.rating, t.publishedAt),
    index("reviews_status_idx").on(t.status, t.publishedAt),
    // For sorting and searching in the back office.
    index("reviews_date_idx").on(t.publishedAt, t.id),
    index("reviews_rating_idx").on(t.rating, t.id),
    index("reviews_text_idx").using("gin", sql`${reviewText()} gin_trgm_ops`),
    check("reviews_rating_range", sql`${t.rating} between 0 and 5`),
    check("reviews_status_known", sql`${t.status} in ('PENDING', 'VALIDATED', 'REJECTED')`),
  ],
);
