import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The order of French letters, in PostgreSQL as it is built with ICU. */
export const FRENCH_COLLATION = "fr-x-icu";

/**
 * A text to sort by as France does, whatever the database's own order is: "Élan" stands between
 * "éclair" and "zèbre", capitals make no difference. Indexes have to be written with it, too.
 */
export const inFrenchOrder = (text: SQLWrapper): SQL =>
  sql`${text} collate ${sql.identifier(FRENCH_COLLATION)}`;
