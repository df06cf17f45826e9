import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The French collation, in PostgreSQL built with ICU. */
export const FRENCH_COLLATION = "fr-x-icu";

/**
 * Sorts a text in French order, independent of the database's collation: "Élan" is between "éclair" and
 * "zèbre", ignoring case. Indexes must use the same expression.
 */
export const inFrenchOrder = (text: SQLWrapper): SQL =>
  sql`${text} collate ${sql.identifier(FRENCH_COLLATION)}`;
