import { type SQL, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { orderText } from "../search-text";
import { uploadedPictureIn } from "../uploaded-picture";
import { users } from "./auth";
import { products } from "./catalogue";
import { createdAt, identity, instant, partOf, updatedAt, version } from "./columns";

/** The last number given, per kind and year: locking the row keeps the numbers without gaps. */
export const documentNumbers = pgTable(
  "document_numbers",
  {
    kind: text("kind", { enum: ["order", "invoice", "credit-note"] }).notNull(),
    year: integer("year").notNull(),
    lastNumber: integer("last_number").notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.year] })],
);

const ORDER_STATUSES = ["paid", "preparing", "shipped", "delivered", "cancelled"] as const;

export const orders = pgTable(
  "orders",
  {
    id: identity(),
    /** `CMD-2026-000001` */
    number: text("number").notNull(),
    /** Null once the account was erased: the buyer columns then keep what the law requires. */
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    buyerEmail: text("buyer_email").notNull(),
    buyerFirstName: text("buyer_first_name").notNull(),
    buyerLastName: text("buyer_last_name").notNull(),
    /** The payment of this order; null for an order made by hand. */
    paymentIntentId: text("payment_intent_id"),
    status: text("status", { enum: ORDER_STATUSES }).notNull().default("paid"),
    /** The lines and the shipping. */
    totalCents: integer("total_cents").notNull(),
    /** The sum of the order's succeeded refunds. */
    refundedCents: integer("refunded_cents").notNull().default(0),
    /** The shipping method's name as chosen; null for an order without. */
    shippingMethod: text("shipping_method"),
    shippingCents: integer("shipping_cents").notNull().default(0),
    /** The method's delay as it was promised: "2 à 3 jours ouvrés". */
    shippingDelay: text("shipping_delay").notNull().default(""),
    /** The seller was outside VAT: documents of this order do not mention VAT. */
    isVatExempt: boolean("is_vat_exempt").notNull().default(false),
    shippingStreet: text("shipping_street").notNull(),
    shippingCity: text("shipping_city").notNull(),
    shippingPostalCode: text("shipping_postal_code").notNull(),
    shippingRecipient: text("shipping_recipient").notNull().default(""),
    shippingCompany: text("shipping_company").notNull().default(""),
    shippingComplement: text("shipping_complement").notNull().default(""),
    shippingPhone: text("shipping_phone").notNull().default(""),
    billingStreet: text("billing_street").notNull(),
    billingCity: text("billing_city").notNull(),
    billingPostalCode: text("billing_postal_code").notNull(),
    billingRecipient: text("billing_recipient").notNull().default(""),
    billingCompany: text("billing_company").notNull().default(""),
    billingComplement: text("billing_complement").notNull().default(""),
    billingPhone: text("billing_phone").notNull().default(""),
    /** Typed by an administrator; the shop's own invoices are found by `invoices.order_id`. */
    invoicePdfPath: text("invoice_pdf_path"),
    orderedAt: instant("ordered_at").notNull().defaultNow(),
    /** When the order reached these states; shipments have dates of their own. */
    preparedAt: instant("prepared_at"),
    deliveredAt: instant("delivered_at"),
    cancelledAt: instant("cancelled_at"),
    /** The names of the lines in their order, kept by triggers of `order_lines`. */
    productNames: text("product_names").notNull().default(""),
    /** Searched by the back office. */
    searchText: text("search_text")
      .notNull()
      .generatedAlwaysAs((): SQL => orderText()),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [
    uniqueIndex("orders_number_key").on(t.number),
    uniqueIndex("orders_payment_intent_key").on(t.paymentIntentId),
    index("orders_user_idx").on(t.userId, t.orderedAt),
    index("orders_date_idx").on(t.orderedAt, t.id),
    // For sorting and searching in the back office.
    index("orders_total_idx").on(t.totalCents, t.id),
    // Nearly all orders are delivered: a partial index finds the others at once.
    index("orders_open_idx").on(t.status, t.orderedAt, t.id).where(sql`${t.status} <> 'delivered'`),
    index("orders_text_idx").using("gin", t.searchText.op("gin_trgm_ops")),
    check("orders_total_not_negative", sql`${t.totalCents} >= 0`),
    check("orders_refunded_range", sql`${t.refundedCents} >= 0`),
    check("orders_shipping_not_negative", sql`${t.shippingCents} >= 0`),
    check(
      "orders_status_known",
      sql`${t.status} in ('paid', 'preparing', 'shipped', 'delivered', 'cancelled')`,
    ),
  ],
);

/**
 * The number of orders per day in France, and their total minus refunds: the sums of the day's rows,
 * kept by a trigger. Each change adds a row, and about every sixteenth merges the unlocked rows into one,
 * so that no transaction waits for another: docs/decisions/046.
 */
export const orderSums = pgTable(
  "order_sums",
  {
    day: date("day").notNull(),
    orders: integer("orders").notNull(),
    totalCents: bigint("total_cents", { mode: "number" }).notNull(),
  },
  (t) => [index("order_sums_day_idx").on(t.day)],
);

/** Copies of the bought products: deleting a product leaves its orders complete. */
export const orderLines = pgTable(
  "order_lines",
  {
    id: identity(),
    orderId: partOf("order_id", () => orders.id),
    productId: integer("product_id").references(() => products.id, { onDelete: "set null" }),
    productType: text("product_type", { enum: ["physical", "digital"] }).notNull(),
    name: text("name").notNull(),
    image: text("image"),
    unitPriceCents: integer("unit_price_cents").notNull(),
    /** The rate at the place of sale. */
    vatRateBp: integer("vat_rate_bp").notNull(),
    quantity: integer("quantity").notNull(),
    /** Pieces shipped: the sum of `shipment_lines`. */
    shippedQuantity: integer("shipped_quantity").notNull().default(0),
    downloadLink: text("download_link"),
    createdAt: createdAt(),
  },
  (t) => [
    index("order_lines_order_idx").on(t.orderId),
    // With the id: the latest orders of a product are read from the end of the index (lib/related).
    index("order_lines_product_line_idx").on(t.productId, t.id),
    index("order_lines_picture_idx")
      .on(sql`(${uploadedPictureIn('"image"')})`)
      .where(sql`${uploadedPictureIn('"image"')} is not null`),
    check("order_lines_quantity_positive", sql`${t.quantity} >= 1`),
    check("order_lines_shipped_range", sql`${t.shippedQuantity} between 0 and ${t.quantity}`),
    check("order_lines_price_not_negative", sql`${t.unitPriceCents} >= 0`),
    check("order_lines_type_known", sql`${t.productType} in ('physical', 'digital')`),
  ],
);
