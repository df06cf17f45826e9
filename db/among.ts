import { type SQL, sql } from "drizzle-orm";

/** `column = any('{1,2,3}')` */
export const isAmong = (column: SQL | { getSQL(): SQL }, ids: readonly number[]) =>
  sql`${column} = any(${sql.param([...ids])}::int[])`;
