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
    /** The product as it was when last added to the cart: names a deleted product, reveals a changed price. */
    addedName: text("seen_name").notNull(),
    addedImage: text("seen_image"),
    addedPriceCents: integer("seen_price_cents").notNull(),
    /** The changed price that the cart has displayed since: only a displayed price may be charged. */
    displayedPriceCents: integer("shown_price_cents"),
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
