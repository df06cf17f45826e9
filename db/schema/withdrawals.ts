import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "./auth";
import { createdAt, identity, instant } from "./columns";
import { orders } from "./orders";

/** A physical product of the order, which can be sent back. */
type WithdrawalObject = { name: string; quantity: number; unitPriceCents: number };

export const WITHDRAWAL_STATES = ["received", "refunded", "refused"] as const;

/**
 * A buyer's withdrawal from an order, at most one per order. The row contains all that the refund needs,
 * since the order and the account may be deleted before the refund is made.
 *
 * Columns that the previous release does not write are nullable, since it still runs during a deployment.
 */
export const withdrawals = pgTable(
  "withdrawals",
  {
    id: identity(),
    /** Null once the order was deleted. */
    orderId: integer("order_id").references(() => orders.id, { onDelete: "set null" }),
    /** Null once the account was erased, like all columns about the person. */
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    buyerEmail: text("buyer_email"),
    buyerFirstName: text("buyer_first_name"),
    buyerLastName: text("buyer_last_name"),
    /** Which objects, in the buyer's words; empty for all. Null once the account was erased. */
    items: text("items"),
    orderNumber: text("order_number"),
    orderedAt: instant("ordered_at"),
    /** The total of the whole order. */
    totalCents: integer("total_cents"),
    objects: jsonb("objects").$type<WithdrawalObject[]>(),
    /** The deadline for the refund; null where the order was free. */
    refundBy: instant("refund_by"),
    state: text("state", { enum: WITHDRAWAL_STATES }).notNull().default("received"),
    /** The reason for the refusal, as the buyer was told. */
    refusalReason: text("refusal_reason"),
    /** When it was refunded or refused. */
    settledAt: instant("settled_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("withdrawals_order_key").on(t.orderId),
    index("withdrawals_user_idx").on(t.userId),
    index("withdrawals_date_idx").on(t.createdAt, t.id),
    index("withdrawals_open_idx").on(t.refundBy, t.id).where(sql`${t.state} = 'received'`),
    check("withdrawals_state_known", sql`${t.state} in ('received', 'refunded', 'refused')`),
  ],
);
