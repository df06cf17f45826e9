import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { users } from "./auth";
import { createdAt } from "./columns";
import { orders } from "./orders";

/** That a buyer has withdrawn from an order, once. What follows (return, refund) is not the shop's to know. */
export const withdrawals = pgTable(
  "withdrawals",
  {
    orderId: integer("order_id")
      .primaryKey()
      .references(() => orders.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Which objects, in the buyer's words; empty for all. */
    items: text("items").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("withdrawals_user_idx").on(t.userId)],
);
