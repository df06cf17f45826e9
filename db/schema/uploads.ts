import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns";

/**
 * Uploaded pictures; lib/uploads/cleaning.ts deletes those that nothing refers to. A deletion locks the
 * picture's row, and using a picture claims the same row, so the use waits for the deletion.
 */
export const uploadedPictures = pgTable(
  "uploaded_pictures",
  {
    /** Derived from the content; the same below /images, in the folder and in the bucket. */
    name: text("name").primaryKey(),
    /** When it was last uploaded; the shop itself does not read this. */
    uploadedAt: instant("uploaded_at").notNull().defaultNow(),
    /** Since when no reference to it is known; null while it is used. */
    unusedSince: instant("unused_since"),
    /** The earliest time of the next check. */
    nextLookAt: instant("next_look_at").notNull(),
  },
  (t) => [index("uploaded_pictures_due_idx").on(t.nextLookAt)],
);
