import { createHash, randomBytes } from "node:crypto";

/** 256 random bits for a link. The database stores only their digest. */
export function createMailedToken(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256, in hex: enough for random tokens. */
export function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
