import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { PostalAddress } from "@/lib/shop/postal-address";
import { invoiceText, orderReference } from "../search-text";
import { users } from "./auth";
import { createdAt, identity, instant, updatedAt, version } from "./columns";
import { orders } from "./orders";

/** Everything the PDF shows, as it was on the invoice's date. */
export type InvoiceSnapshot = {
  seller: { name: string; address: string[]; siren: string; vatNumber: string; email: string };
  buyer: { firstName: string; lastName: string; email: string };
  shippingAddress: PostalAddress | null;
  billingAddress: PostalAddress | null;
  orderNumber: string | null;
  lines: InvoiceLine[];
  /** Only on credit notes: their rounding depends on earlier ones. Otherwise VAT is computed from the lines. */
  vat?: VatAmounts[] | undefined;
  /** The seller was outside VAT: no line has VAT, and the document does not mention any. */
  isVatExempt?: boolean | undefined;
  /** Why all lines, or some, have no VAT. */
  vatNotes?: string[] | undefined;
  /** Of a corrected version: its date, and the date of the version that it replaces (ISO 8601). */
  correction?: { date: string; replaces: string } | undefined;
};

/** Totals of the lines of one VAT rate, in cents: net and VAT always add up to the gross amount. */
export type VatAmounts = {
  /** Basis points: 2000 is 20 %. */
  vatRateBp: number;
  netCents: number;
  vatCents: number;
  grossCents: number;
};

export type InvoiceLine = {
  name: string;
  quantity: number;
  unitPriceCents: number;
  vatRateBp: number;
  /**
   * `adjustment`: computed, so that the lines add up to a total typed by admins. `shipping`: the part of
   * the shipping that has this VAT rate. Undefined: a product.
   */
  kind?: "adjustment" | "shipping" | undefined;
};

export const invoices = pgTable(
  "invoices",
  {
    id: identity(),
    /** `FA-2026-000001`: without gaps, never reused. */
    number: text("number").notNull(),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    orderId: integer("order_id").references(() => orders.id, { onDelete: "set null" }),
    source: text("source", { enum: ["checkout", "manual"] }).notNull(),
    totalCents: integer("total_cents").notNull(),
    pdfPath: text("pdf_path"),
    paymentId: text("payment_id"),
    snapshot: jsonb("snapshot").$type<InvoiceSnapshot>().notNull(),
    issuedAt: instant("issued_at").notNull().defaultNow(),
    /** When admins marked an invoice written by hand as paid. */
    paidAt: instant("paid_at"),
    /** Deleted in the back office: hidden from every list, kept for ten years. */
    archivedAt: instant("archived_at"),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [
    uniqueIndex("invoices_number_key").on(t.number),
    uniqueIndex("invoices_checkout_order_key").on(t.orderId).where(sql`${t.source} = 'checkout'`),
    index("invoices_order_idx").on(t.orderId),
    index("invoices_user_idx").on(t.userId),
    index("invoices_payment_idx").on(t.paymentId),
    // For sorting and searching in the back office, which shows no archived invoices.
    index("invoices_date_idx").on(t.issuedAt, t.id).where(sql`${t.archivedAt} is null`),
    index("invoices_total_idx").on(t.totalCents, t.id).where(sql`${t.archivedAt} is null`),
    index("invoices_text_idx").using("gin", sql`${invoiceText()} gin_trgm_ops`),
    index("invoices_order_number_idx").on(orderReference()),
    check("invoices_total_not_negative", sql`${t.totalCents} >= 0`),
    check("invoices_source_known", sql`${t.source} in ('checkout', 'manual')`),
  ],
);

/** The earlier states of an edited invoice. */
export const invoiceVersions = pgTable(
  "invoice_versions",
  {
    id: identity(),
    invoiceId: integer("invoice_id")
      .notNull()
      .references(() => invoices.id, { onDelete: "restrict" }),
    version: integer("version").notNull(),
    content: jsonb("content").$type<Record<string, unknown>>().notNull(),
    replacedBy: integer("replaced_by").references(() => users.id, { onDelete: "set null" }),
    replacedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("invoice_versions_version_key").on(t.invoiceId, t.version),
    index("invoice_versions_replaced_by_idx").on(t.replacedBy),
  ],
);
