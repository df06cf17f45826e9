import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { PostalAddress } from "@/lib/shop/postal-address";
import { users } from "./auth";
import { createdAt, instant, updatedAt } from "./columns";
import { orders } from "./orders";

/** A snapshot of a cart line, taken when the payment step is opened. */
export type CheckoutLine = {
  cartItemId: number;
  productId: number;
  productType: "physical" | "digital";
  name: string;
  image: string | null;
  unitPriceCents: number;
  /** The rate at the place of sale. */
  vatRateBp: number;
  quantity: number;
  downloadLink: string | null;
};

/** The chosen shipping method, and its price for this cart. */
export type CheckoutShipping = {
  methodId: number;
  name: string;
  priceCents: number;
  /** "2 à 3 jours ouvrés"; missing where the method names none. */
  delay?: string | undefined;
};

/** A snapshot of a cart, its prices and both addresses, for one payment of exactly their total. */
export const checkouts = pgTable(
  "checkouts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    status: text("status", { enum: ["pending", "completed", "cancelled", "refunded"] })
      .notNull()
      .default("pending"),
    /** Digest of the lines: the same cart reuses the same payment. */
    fingerprint: text("fingerprint").notNull(),
    lines: jsonb("lines").$type<CheckoutLine[]>().notNull(),
    /** Null for a cart of downloads only, or a shop without shipping methods. */
    shipping: jsonb("shipping").$type<CheckoutShipping>(),
    totalCents: integer("total_cents").notNull(),
    /** The seller was outside VAT. */
    isVatExempt: boolean("is_vat_exempt").notNull().default(false),
    shippingAddress: jsonb("shipping_address").$type<PostalAddress>().notNull(),
    billingAddress: jsonb("billing_address").$type<PostalAddress>().notNull(),
    buyerEmail: text("buyer_email").notNull(),
    buyerFirstName: text("buyer_first_name").notNull(),
    buyerLastName: text("buyer_last_name").notNull(),
    paymentIntentId: text("payment_intent_id"),
    orderId: integer("order_id").references(() => orders.id, { onDelete: "set null" }),
    /** False while the provider's payment still lacks the order's number; true where there is no order. */
    isOrderNumberWritten: boolean("is_order_number_written").notNull().default(true),
    /** When the reconciler checks it next, or the worker writes the order's number on its payment. */
    nextCheckAt: instant("next_check_at").notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Kept for complaints; the shop itself does not read it. */
    completedAt: instant("completed_at"),
  },
  (t) => [
    uniqueIndex("checkouts_payment_intent_key").on(t.paymentIntentId),
    uniqueIndex("checkouts_order_key").on(t.orderId),
    uniqueIndex("checkouts_pending_key").on(t.userId).where(sql`${t.status} = 'pending'`),
    index("checkouts_user_idx").on(t.userId),
    index("checkouts_buyer_email_idx").on(sql`lower(${t.buyerEmail})`),
    index("checkouts_due_idx").on(t.nextCheckAt).where(sql`${t.status} = 'pending'`),
    index("checkouts_order_number_due_idx")
      .on(t.nextCheckAt)
      .where(sql`not ${t.isOrderNumberWritten}`),
    index("checkouts_ended_idx")
      .on(t.updatedAt)
      .where(sql`${t.status} in ('cancelled', 'refunded')`),
    check("checkouts_total_not_negative", sql`${t.totalCents} >= 0`),
    check(
      "checkouts_status_known",
      sql`${t.status} in ('pending', 'completed', 'cancelled', 'refunded')`,
    ),
  ],
);

/** Events received from the payment provider: each is processed once. */
export const paymentEvents = pgTable(
  "payment_events",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    receivedAt: createdAt(),
    processedAt: instant("processed_at"),
  },
  (t) => [index("payment_events_date_idx").on(t.receivedAt)],
);

/**
 * The queue of payments to reverse because they can no longer become an order: an unpaid one is
 * cancelled at the provider, a paid one is refunded. The deciding transaction writes the row; a worker
 * retries it afterwards until it succeeds.
 */
export const paymentClosures = pgTable(
  "payment_closures",
  {
    paymentIntentId: text("payment_intent_id").primaryKey(),
    reason: text("reason", {
      enum: ["account-erased", "amount", "cancelled", "sold-out", "unknown"],
    }).notNull(),
    /** Encrypted address to notify of a refund; emptied once the payment is reversed. */
    recipient: text("recipient"),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    attempts: integer("attempts").notNull().default(0),
    /** Earliest next attempt; a process claims the row by postponing it, so that no other process does. */
    nextAttemptAt: instant("next_attempt_at").notNull().defaultNow(),
    outcome: text("outcome", { enum: ["cancelled", "refunded"] }),
    refundedCents: integer("refunded_cents").notNull().default(0),
    createdAt: createdAt(),
    settledAt: instant("settled_at"),
  },
  (t) => [
    index("payment_closures_due_idx").on(t.nextAttemptAt).where(sql`${t.settledAt} is null`),
    index("payment_closures_user_idx").on(t.userId),
    check(
      "payment_closures_reason_known",
      sql`${t.reason} in ('account-erased', 'amount', 'cancelled', 'sold-out', 'unknown')`,
    ),
    check(
      "payment_closures_outcome_known",
      sql`(${t.settledAt} is null) = (${t.outcome} is null) and ${t.outcome} in ('cancelled', 'refunded')`,
    ),
  ],
);
