import { sql } from "drizzle-orm";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity } from "./columns";

/** Messages of visitors, kept in case the mail that carries one is lost. */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: identity(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    message: text("message").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("contact_messages_email_idx").on(sql`lower(${t.email})`),
    index("contact_messages_date_idx").on(t.createdAt),
  ],
);
