import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { uploadedPictureIn } from "../uploaded-picture";
import { users } from "./auth";
import { products } from "./catalogue";
import { createdAt, identity, partOf, updatedAt, version } from "./columns";

export const carts = pgTable(
  "carts",
  {
    id: identity(),
    userId: partOf("user_id", () => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [
    uniqueIndex("carts_user_key").on(t.userId),
    index("carts_updated_idx").on(t.updatedAt, t.id),
  ],
);

export const cartItems = pgTable(
  "cart_items",
  {
    id: identity(),
    cartId: partOf("cart_id", () => carts.id),
    /** Null once the product was deleted: the line stays and says that it is no longer sold. */
    productId: integer("product_id").references(() => products.id, { onDelete: "set null" }),
    quantity: integer("quantity").notNull(),
    /** As the customer last saw them: they name a deleted product and reveal a changed price. */
    seenName: text("seen_name").notNull(),
    seenImage: text("seen_image"),
    seenPriceCents: integer("seen_price_cents").notNull(),
    /** The changed price that the cart has shown since: only a price that was shown may be charged. */
    shownPriceCents: integer("shown_price_cents"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("cart_items_product_key").on(t.cartId, t.productId),
    index("cart_items_product_idx").on(t.productId),
    index("cart_items_picture_idx")
      .on(sql`(${uploadedPictureIn('"seen_image"')})`)
      .where(sql`${uploadedPictureIn('"seen_image"')} is not null`),
    check("cart_items_quantity_positive", sql`${t.quantity} >= 1`),
  ],
);
