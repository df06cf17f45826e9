import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { products } from "./catalogue";
import { createdAt, identity, instant, partOf } from "./columns";

/**
 * E-mail addresses that wait for a product to be back in stock. A row is deleted with the mail that it waits
 * for, and otherwise when its retention period is over.
 */
export const stockAlerts = pgTable(
  "stock_alerts",
  {
    id: identity(),
    productId: partOf("product_id", () => products.id),
    email: text("email").notNull(),
    /** SHA-256 of the token in the mailed link, which confirms and cancels the alert. */
    tokenHash: text("token_hash").notNull(),
    /** When the link was mailed. */
    mailedAt: instant("mailed_at").notNull().defaultNow(),
    /** Null until the link is opened: until then the address may be somebody else's. */
    confirmedAt: instant("confirmed_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("stock_alerts_product_email_key").on(t.productId, sql`lower(${t.email})`),
    uniqueIndex("stock_alerts_token_key").on(t.tokenHash),
    index("stock_alerts_confirmed_idx").on(t.productId).where(sql`${t.confirmedAt} is not null`),
    index("stock_alerts_email_idx").on(sql`lower(${t.email})`),
    index("stock_alerts_date_idx").on(t.createdAt),
  ],
);
