import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns";

/**
 * The pictures that were uploaded, until nothing refers to them any more: lib/uploads/cleaning.ts.
 * Whoever removes one holds its row meanwhile; whoever is about to use one claims it, and so waits.
 */
export const uploadedPictures = pgTable(
  "uploaded_pictures",
  {
    /** Made of the content: below /images, in the folder and in the bucket. */
    name: text("name").primaryKey(),
    /** When it was last sent; the shop itself does not read it. */
    uploadedAt: instant("uploaded_at").notNull().defaultNow(),
    /** Since when it is known that nothing refers to it; null while something does. */
    unusedSince: instant("unused_since"),
    /** Not before. */
    nextLookAt: instant("next_look_at").notNull(),
  },
  (t) => [index("uploaded_pictures_due_idx").on(t.nextLookAt)],
);
