import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./auth";
import { products } from "./catalogue";
import { checkouts } from "./checkout";
import { createdAt, identity, instant, partOf } from "./columns";
import { orders } from "./orders";

/**
 * Every change of a product's stock: `products.stock` is always the sum of its rows, and the same
 * transaction writes both. A product whose stock was never tracked has no rows; where tracking was
 * switched off, the rows add up to 0.
 */
export const stockMovements = pgTable(
  "stock_movements",
  {
    id: identity(),
    productId: partOf("product_id", () => products.id),
    kind: text("kind", { enum: ["sale", "return", "correction", "import"] }).notNull(),
    /** Pieces: positive for incoming, negative for outgoing. */
    quantity: integer("quantity").notNull(),
    /** The reason that admins gave for a correction. */
    reason: text("reason"),
    /** The order of a sale or a return. */
    orderId: integer("order_id").references(() => orders.id, { onDelete: "set null" }),
    /** The admin who made the correction or the import. */
    actorId: integer("actor_id").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (t) => [
    index("stock_movements_product_idx").on(t.productId, t.id),
    index("stock_movements_order_idx").on(t.orderId),
    index("stock_movements_actor_idx").on(t.actorId),
    check("stock_movements_quantity_not_zero", sql`${t.quantity} <> 0`),
    check(
      "stock_movements_kind_known",
      sql`${t.kind} in ('sale', 'return', 'correction', 'import')`,
    ),
  ],
);

/**
 * Pieces reserved for a customer who is about to pay. A hold counts until it expires or its checkout
 * ends, whichever comes first.
 */
export const stockHolds = pgTable(
  "stock_holds",
  {
    checkoutId: uuid("checkout_id")
      .notNull()
      .references(() => checkouts.id, { onDelete: "cascade" }),
    productId: partOf("product_id", () => products.id),
    quantity: integer("quantity").notNull(),
    /** Since when this customer has held pieces of the product without a gap, earlier checkouts included. */
    heldSince: instant("held_since").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.checkoutId, t.productId] }),
    index("stock_holds_product_idx").on(t.productId, t.expiresAt),
    index("stock_holds_expiry_idx").on(t.expiresAt),
    check("stock_holds_quantity_positive", sql`${t.quantity} >= 1`),
  ],
);
