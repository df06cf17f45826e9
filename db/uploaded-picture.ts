import { type SQL, sql } from "drizzle-orm";

// Columns of pictures hold what somebody typed or the upload gave: a bare name, a path below /images,
// an address with the shop's domain or another. An upload is told by its name, which has 40 digits.

const NAME = "[0-9a-f]{40}[.](?:jpg|png|gif|webp)";

/** The name of an uploaded picture; null for every other text. */
export function uploadedPictureOf(image: string): string | null {
  return new RegExp(`(?:^|/)(${NAME})`).exec(image)?.[1] ?? null;
}

/** The same in the database. Index and query must say it in the same words. */
export function uploadedPictureIn(column: string): SQL {
  return sql.raw(`substring(${column} from '(?:^|/)(${NAME})')`);
}
