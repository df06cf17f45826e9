import type { SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

/** A column of encrypted texts. lib/maintenance/reseal.ts re-encrypts texts sealed with a replaced secret. */
export interface SealedColumn {
  name: string;
  table: PgTable;
  id: PgColumn;
  /** The sealed text, or null. */
  sealed: PgColumn | SQL;
  /** The id of the user that the text is sealed for, if it is bound to one. */
  owner?: PgColumn;
  /** The rows whose text is still needed; all by default. */
  where?: SQL;
  /** The text sealed with the current secret; null if it already is. Throws if no secret opens the text. */
  reseal: (text: { sealed: string; owner: number }) => string | null;
  /** The columns to update with the resealed text. */
  set: (sealed: string) => Record<string, unknown>;
}
