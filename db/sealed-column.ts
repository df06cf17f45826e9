import type { SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

/** A column with sealed texts. What a replaced secret has sealed is sealed anew: lib/maintenance/reseal.ts. */
export interface SealedColumn {
  name: string;
  table: PgTable;
  id: PgColumn;
  /** The sealed text, or null. */
  sealed: PgColumn | SQL;
  /** The user whom it belongs to, where it is sealed for one. */
  owner?: PgColumn;
  /** The rows whose text is still of use; all by default. */
  where?: SQL;
  /** The text sealed anew; null where it already is. Throws where no secret opens it. */
  reseal: (text: { sealed: string; owner: number }) => string | null;
  /** The row's columns with the text. */
  set: (sealed: string) => Record<string, unknown>;
}
