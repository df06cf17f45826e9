import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { products } from "./catalogue";
import { partOf } from "./columns";

/**
 * Products that were bought in the same orders, a few for each product. Computed in the background from
 * `order_lines` (lib/related/mutations.ts): it says nothing about single orders.
 */
export const boughtTogether = pgTable(
  "bought_together",
  {
    productId: partOf("product_id", () => products.id),
    otherId: partOf("other_id", () => products.id),
    /** Orders that contain both. */
    orders: integer("orders").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.otherId] }),
    index("bought_together_other_idx").on(t.otherId),
    check("bought_together_orders_positive", sql`${t.orders} >= 1`),
    check("bought_together_not_itself", sql`${t.productId} <> ${t.otherId}`),
  ],
);

/** How far `order_lines` have been read for `bought_together`: a single row. */
export const boughtTogetherProgress = pgTable(
  "bought_together_progress",
  {
    id: integer("id").primaryKey().default(1),
    /** The id of the last order line that was read. */
    lastLineId: integer("last_line_id").notNull().default(0),
  },
  (t) => [check("bought_together_progress_single_row", sql`${t.id} = 1`)],
);
