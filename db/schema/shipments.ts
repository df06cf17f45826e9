import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { trackingReference } from "../search-text";
import { users } from "./auth";
import { identity, instant, partOf, updatedAt, version } from "./columns";
import { orderLines, orders } from "./orders";

/** A parcel of an order. */
export const shipments = pgTable(
  "shipments",
  {
    id: identity(),
    orderId: partOf("order_id", () => orders.id),
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

/** The content of a parcel; `order_lines.shipped_quantity` is the sum of a line's rows. */
export const shipmentLines = pgTable(
  "shipment_lines",
  {
    shipmentId: partOf("shipment_id", () => shipments.id),
    orderLineId: partOf("order_line_id", () => orderLines.id),
    quantity: integer("quantity").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.shipmentId, t.orderLineId] }),
    index("shipment_lines_order_line_idx").on(t.orderLineId),
    check("shipment_lines_quantity_positive", sql`${t.quantity} >= 1`),
  ],
);
