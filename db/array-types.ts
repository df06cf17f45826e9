import { makePgArray, parsePgArray } from "drizzle-orm/pg-core";
import type { PostgresType } from "postgres";

const arrayOf = (oid: number, read: (text: string) => unknown): PostgresType => ({
  to: oid,
  from: [oid],
  // For a column drizzle has already serialized the value.
  serialize: (value: string | unknown[]) => (Array.isArray(value) ? makePgArray(value) : value),
  parse: (text: string) => parsePgArray(text).map(read),
});

/**
 * Options of postgres.js: the array types that the shop uses, by their fixed OIDs. Texts may be sent in any
 * form; arrays that are read must be flat, without nulls and backslashes, for drizzle's parser.
 *
 * By default postgres.js queries all types on each new connection. If the connection breaks meanwhile, the
 * query fails with an error that cannot be caught, and the process ends.
 */
export const ARRAY_TYPES = {
  fetch_types: false,
  types: {
    booleans: arrayOf(1000, (text) => text === "t"),
    integers: arrayOf(1007, Number),
    texts: arrayOf(1009, String),
    uuids: arrayOf(2951, String),
  },
};
