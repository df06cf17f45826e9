import { pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity } from "./columns";

export const contactMessages = pgTable("contact_messages", {
  id: identity(),
  name: text("name").notNull(),
  email: text("email").notNull(),
  message: text("message").notNull(),
  createdAt: createdAt(),
});
