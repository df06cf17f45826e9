import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { inFrenchOrder } from "../french-order";
import { addressText } from "../search-text";
import { users } from "./auth";
import { createdAt, identity, partOf, updatedAt, version } from "./columns";

export const addresses = pgTable(
  "addresses",
  {
    id: identity(),
    userId: partOf("user_id", () => users.id),
    street: text("street").notNull(),
    city: text("city").notNull(),
    postalCode: text("postal_code").notNull(),
    recipient: text("recipient").notNull().default(""),
    company: text("company").notNull().default(""),
    complement: text("complement").notNull().default(""),
    phone: text("phone").notNull().default(""),
    type: text("type", { enum: ["shipping", "billing"] })
      .notNull()
      .default("shipping"),
    isDefault: boolean("is_default").notNull().default(false),
    isDefaultBilling: boolean("is_default_billing").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [
    index("addresses_user_idx").on(t.userId),
    // For sorting and searching in the back office.
    index("addresses_street_idx").on(inFrenchOrder(t.street), t.id),
    index("addresses_city_idx").on(inFrenchOrder(t.city), t.id),
    index("addresses_postal_code_idx").on(t.postalCode, t.id),
    index("addresses_text_idx").using("gin", sql`${addressText()} gin_trgm_ops`),
    // One default per person and kind, also when two requests race.
    uniqueIndex("addresses_default_shipping_key").on(t.userId).where(sql`${t.isDefault}`),
    uniqueIndex("addresses_default_billing_key").on(t.userId).where(sql`${t.isDefaultBilling}`),
    check("addresses_type_known", sql`${t.type} in ('shipping', 'billing')`),
    check("addresses_default_is_shipping", sql`not ${t.isDefault} or ${t.type} = 'shipping'`),
    check(
      "addresses_default_billing_is_billing",
      sql`not ${t.isDefaultBilling} or ${t.type} = 'billing'`,
    ),
    check("addresses_postal_code_format", sql`${t.postalCode} ~ '^[0-9]{5}(-[0-9]{4})?$'`),
  ],
);
