import { makePgArray, parsePgArray } from "drizzle-orm/pg-core";
import type { PostgresType } from "postgres";

const arrayOf = (oid: number, read: (text: string) => unknown): PostgresType => ({
  to: oid,
  from: [oid],
  // Of a column drizzle has written it already.
  serialize: (value: string | unknown[]) => (Array.isArray(value) ? makePgArray(value) : value),
  parse: (text: string) => parsePgArray(text).map(read),
});

/**
 * Options of postgres.js: the arrays that the shop sends and reads, by PostgreSQL's fixed numbers. Any texts
 * are sent; what is read is flat, without nulls and backslashes, as drizzle's parser wants it.
 *
 * By itself postgres.js asks for all types on each new connection; where the connection breaks meanwhile, that
 * fails with an error that nobody can catch, which ends the process.
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
