import { createHash, randomBytes } from "node:crypto";

/** How long the links of mails are good, as PostgreSQL intervals. */
export const RESET_LIFETIME = "1 hour";
export const CONFIRMATION_LIFETIME = "48 hours";

/** 256 random bits for a link. The database sees only their digest. */
export function createMailedToken(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256, in hex: enough for a text that nobody can guess. */
export function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
