import { createHash, randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";

/** When a token that is created now expires, by its lifetime in seconds (lib/mail/lifetimes.ts). */
export const expiresIn = (lifetime: number) => sql`now() + make_interval(secs => ${lifetime})`;

/** 256 random bits for a link. The database sees only their digest. */
export function createMailedToken(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256, in hex: enough for random tokens. */
export function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
