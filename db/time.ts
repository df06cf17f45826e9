import { type SQL, sql } from "drizzle-orm";

/** The database's time plus a number of seconds. */
export const secondsFromNow = (seconds: number): SQL =>
  sql`now() + make_interval(secs => ${seconds})`;
