import { sql } from "drizzle-orm";
import { boolean, check, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { updatedAt, version } from "./columns";

/** The seller, as invoices and the legal notice name it: a single row. */
export const shopSettings = pgTable(
  "shop_settings",
  {
    id: integer("id").primaryKey().default(1),
    legalName: text("legal_name").notNull(),
    address: jsonb("address").$type<string[]>().notNull(),
    siren: text("siren").notNull(),
    /** Empty only where the seller is outside VAT. */
    vatNumber: text("vat_number").notNull(),
    /** Outside VAT (franchise en base, CGI art. 293 B). */
    isVatExempt: boolean("is_vat_exempt").notNull().default(false),
    email: text("email").notNull(),
    phone: text("phone").notNull().default(""),
    /** The person legally responsible for the site's content. */
    publisher: text("publisher").notNull().default(""),
    /** The hosting company: name, address, telephone. */
    host: text("host").notNull().default(""),
    /** General terms of sale, as lib/seller/terms.ts reads them. */
    terms: text("terms").notNull().default(""),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [check("shop_settings_single_row", sql`${t.id} = 1`)],
);
