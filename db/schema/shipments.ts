import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { trackingReference } from "../search-text";
import { users } from "./auth";
import { identity, instant, updatedAt, version } from "./columns";
import { orderLines, orders } from "./orders";

/** A parcel of an order. */
export const shipments = pgTable(
  "shipments",
  {
    id: identity(),
    orderId: integer("order_id")
      .notNull()
      .references(() => orders.id, { onDelete: "cascade" }),
    carrier: text("carrier").notNull(),
    trackingNumber: text("tracking_number"),
    createdBy: integer("created_by").references(() => users.id, { onDelete: "set null" }),
    shippedAt: instant("shipped_at").notNull().defaultNow(),
    deliveredAt: instant("delivered_at"),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [
    index("shipments_order_idx").on(t.orderId),
    index("shipments_created_by_idx").on(t.createdBy),
    index("shipments_tracking_idx").on(trackingReference()),
  ],
);

/** What is in a parcel; `order_lines.shipped_quantity` is the sum of a line's rows. */
export const shipmentLines = pgTable(
  "shipment_lines",
  {
    shipmentId: integer("shipment_id")
      .notNull()
      .references(() => shipments.id, { onDelete: "cascade" }),
    orderLineId: integer("order_line_id")
      .notNull()
      .references(() => orderLines.id, { onDelete: "cascade" }),
    quantity: integer("quantity").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.shipmentId, t.orderLineId] }),
    index("shipment_lines_order_line_idx").on(t.orderLineId),
    check("shipment_lines_quantity_positive", sql`${t.quantity} >= 1`),
  ],
);
