import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { users } from "./auth";
import { createdAt, identity, instant, partOf } from "./columns";
import { type InvoiceSnapshot, invoices } from "./invoices";
import { orderLines, orders } from "./orders";

const REFUND_STATUSES = ["pending", "succeeded", "failed"] as const;

/**
 * The row is written before the provider is called, so that a crash at any point ends with one refund.
 * Every refund that has not failed reduces the amount that can still be refunded.
 */
export const refunds = pgTable(
  "refunds",
  {
    id: identity(),
    /** Null once the order was deleted. */
    orderId: integer("order_id").references(() => orders.id, { onDelete: "set null" }),
    paymentIntentId: text("payment_intent_id").notNull(),
    /** Who started it: admins, somebody in the provider's dashboard, or the buyer's bank. */
    origin: text("origin", { enum: ["staff", "provider", "dispute"] }).notNull(),
    status: text("status", { enum: REFUND_STATUSES }).notNull().default("pending"),
    amountCents: integer("amount_cents").notNull(),
    /**
     * The refunded shipping, part of the amount. If the amount exceeds shipping plus lines, the excess is
     * goodwill; if it is lower, the difference is deducted from the lines.
     */
    shippingCents: integer("shipping_cents").notNull().default(0),
    /** Whether the refunded pieces go back into the stock. */
    restock: boolean("restock").notNull().default(false),
    reason: text("reason").notNull(),
    /** The request's `Idempotency-Key`, unique per order; null for a refund that did not start in the shop. */
    idempotencyKey: text("idempotency_key"),
    /** Digest of that request's body: the same key with another body is refused. */
    requestDigest: text("request_digest"),
    /** The provider's id of the refund or the dispute. */
    providerId: text("provider_id"),
    /** The provider's reason for the failure. */
    failure: text("failure"),
    attempts: integer("attempts").notNull().default(0),
    /** Earliest next attempt; a process claims the row by postponing it, so that no other process does. */
    nextAttemptAt: instant("next_attempt_at").notNull().defaultNow(),
    createdBy: integer("created_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
    settledAt: instant("settled_at"),
  },
  (t) => [
    uniqueIndex("refunds_idempotency_key").on(t.orderId, t.idempotencyKey),
    uniqueIndex("refunds_provider_key").on(t.providerId),
    index("refunds_payment_idx").on(t.paymentIntentId),
    index("refunds_created_by_idx").on(t.createdBy),
    index("refunds_due_idx").on(t.nextAttemptAt).where(sql`${t.status} = 'pending'`),
    index("refunds_failed_idx").on(t.createdAt, t.id).where(sql`${t.status} = 'failed'`),
    check("refunds_amount_positive", sql`${t.amountCents} > 0`),
    check("refunds_shipping_range", sql`${t.shippingCents} between 0 and ${t.amountCents}`),
    check("refunds_status_known", sql`${t.status} in ('pending', 'succeeded', 'failed')`),
    check("refunds_origin_known", sql`${t.origin} in ('staff', 'provider', 'dispute')`),
  ],
);

/** The refunded pieces, at their price. */
export const refundLines = pgTable(
  "refund_lines",
  {
    refundId: partOf("refund_id", () => refunds.id),
    orderLineId: partOf("order_line_id", () => orderLines.id),
    quantity: integer("quantity").notNull(),
    amountCents: integer("amount_cents").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.refundId, t.orderLineId] }),
    index("refund_lines_order_line_idx").on(t.orderLineId),
    check("refund_lines_quantity_positive", sql`${t.quantity} >= 1`),
    check("refund_lines_amount_not_negative", sql`${t.amountCents} >= 0`),
  ],
);

/** Everything the PDF shows, as it was on the credit note's date; amounts are positive. */
type CreditNoteSnapshot = InvoiceSnapshot & {
  /** The invoice that the credit note corrects; null where the order has none. */
  invoice: { number: string; issuedAt: string } | null;
  reason: string;
};

/** One per succeeded refund. */
export const creditNotes = pgTable(
  "credit_notes",
  {
    id: identity(),
    /** `AV-2026-000001`: without gaps, never reused. */
    number: text("number").notNull(),
    refundId: integer("refund_id")
      .notNull()
      .references(() => refunds.id, { onDelete: "restrict" }),
    invoiceId: integer("invoice_id").references(() => invoices.id, { onDelete: "restrict" }),
    orderId: integer("order_id").references(() => orders.id, { onDelete: "set null" }),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    totalCents: integer("total_cents").notNull(),
    snapshot: jsonb("snapshot").$type<CreditNoteSnapshot>().notNull(),
    issuedAt: instant("issued_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("credit_notes_number_key").on(t.number),
    uniqueIndex("credit_notes_refund_key").on(t.refundId),
    index("credit_notes_invoice_idx").on(t.invoiceId),
    index("credit_notes_order_idx").on(t.orderId),
    index("credit_notes_user_idx").on(t.userId),
    index("credit_notes_date_idx").on(t.issuedAt, t.id),
    check("credit_notes_total_positive", sql`${t.totalCents} > 0`),
  ],
);
