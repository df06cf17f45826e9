import { randomBytes } from "node:crypto";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function randomText(length: number): string {
  let text = "";
  for (const byte of randomBytes(length)) text += LETTERS[byte % LETTERS.length];
  return text;
}

type IdPrefix = "pi" | "ch" | "re" | "dp" | "evt" | "req" | "payatt";

/** An id in Stripe's format, e.g. "pi_3Qz…". */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_3${randomText(23)}`;
}

/** Authorizes a browser to complete one payment intent. */
export function newClientSecret(intentId: string): string {
  return `${intentId}_secret_${randomText(25)}`;
}
