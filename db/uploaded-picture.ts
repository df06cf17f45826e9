import { type SQL, sql } from "drizzle-orm";

// A picture column holds a typed or uploaded value: a bare name, a path below /images, or a URL of the
// shop's or another domain. An upload is recognized by its name of 40 hex digits.

const NAME = "[0-9a-f]{40}[.](?:jpg|png|gif|webp)";

/** The name of an uploaded picture; null for every other text. */
export function uploadedPictureOf(image: string): string | null {
  return new RegExp(`(?:^|/)(${NAME})`).exec(image)?.[1] ?? null;
}

/** The same in SQL. Index and query must use the same expression. */
export function uploadedPictureIn(column: string): SQL {
  return sql.raw(`substring(${column} from '(?:^|/)(${NAME})')`);
}

/** The names of the uploaded pictures in a column like `more_images`, as an array, or null. */
export function uploadedPicturesIn(column: string): SQL {
  return sql.raw(`uploaded_pictures_in(${column})`);
}
