import { createHash, randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";

/** The moment at which a token that is made now ends, after so many seconds (lib/mail/lifetimes.ts). */
export const after = (lifetime: number) => sql`now() + make_interval(secs => ${lifetime})`;

/** 256 random bits for a link. The database sees only their digest. */
export function createMailedToken(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256, in hex: enough for a text that nobody can guess. */
export function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
