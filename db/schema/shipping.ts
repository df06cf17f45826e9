import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { POSTAL_ZONES } from "@/lib/postal-zones";
import { createdAt, identity, updatedAt, version } from "./columns";

/** What shipping costs up to a weight, the bound included. */
export type WeightBand = { maxGrams: number; priceCents: number };

/** How the shop sends its objects; a shop without an active one asks for nothing and charges nothing. */
export const shippingMethods = pgTable(
  "shipping_methods",
  {
    id: identity(),
    name: text("name").notNull(),
    /** Without bands: what it costs. With bands: unused. */
    priceCents: integer("price_cents").notNull(),
    /** From this value of the objects on it costs nothing. */
    freeFromCents: integer("free_from_cents"),
    /** As buyers read it: "2 à 3 jours ouvrés". */
    delay: text("delay").notNull().default(""),
    /** By rising weight; what is heavier than the last cannot be sent this way. Empty: any weight. */
    bands: jsonb("bands").$type<WeightBand[]>().notNull().default([]),
    /** Where it goes: to these zones of lib/postal-zones.ts, */
    zones: text("zones", { enum: POSTAL_ZONES }).array().notNull().default(["mainland"]),
    /** and to the postal codes that begin so. */
    postalCodes: text("postal_codes").array().notNull().default([]),
    isActive: boolean("is_active").notNull().default(true),
    /** Among the methods, from 0. */
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
