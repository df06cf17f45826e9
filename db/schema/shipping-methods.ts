import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { POSTAL_ZONES } from "@/lib/shop/postal-zones";
import { createdAt, identity, updatedAt, version } from "./columns";

/** The price of shipping up to a weight, inclusive. */
export type WeightBand = { maxGrams: number; priceCents: number };

/** Without an active method, checkout offers no choice and shipping is free. */
export const shippingMethods = pgTable(
  "shipping_methods",
  {
    id: identity(),
    name: text("name").notNull(),
    /** The price where there are no bands; unused otherwise. */
    priceCents: integer("price_cents").notNull(),
    /** Shipping is free from this value of the physical products. */
    freeFromCents: integer("free_from_cents"),
    /** As buyers read it: "2 à 3 jours ouvrés". */
    delay: text("delay").notNull().default(""),
    /** By ascending weight; a cart heavier than the last band cannot use this method. Empty: any weight. */
    bands: jsonb("bands").$type<WeightBand[]>().notNull().default([]),
    /** The method delivers to these zones of lib/shop/postal-zones.ts, */
    zones: text("zones", { enum: POSTAL_ZONES }).array().notNull().default(["mainland"]),
    /** and to postal codes with these prefixes. */
    postalCodes: text("postal_codes").array().notNull().default([]),
    isActive: boolean("is_active").notNull().default(true),
    /** Rank among the methods, from 0. */
    position: integer("position").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [
    index("shipping_methods_position_idx").on(t.position, t.id),
    check("shipping_methods_name_length", sql`char_length(${t.name}) between 1 and 100`),
    check(
      "shipping_methods_prices_not_negative",
      sql`${t.priceCents} >= 0 and ${t.freeFromCents} >= 0`,
    ),
    check(
      "shipping_methods_goes_somewhere",
      sql`cardinality(${t.zones}) + cardinality(${t.postalCodes}) > 0`,
    ),
  ],
);
