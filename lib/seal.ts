import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { authSecret } from "@/lib/env";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A key per purpose, derived from the shop's secret: what is sealed for one purpose cannot be opened
 * for another.
 */
function keyFor(purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", authSecret(), "", purpose, 32));
}

/**
 * Encrypts a text for the database (AES-256-GCM).
 *
 * @param purpose what the text is for
 * @param owner whom the text belongs to; moved to another row, it does not open there
 */
export function sealText({
  text,
  purpose,
  owner = "",
}: {
  text: string;
  purpose: string;
  owner?: string;
}): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyFor(purpose), nonce);
  cipher.setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64");
}

/** Throws for what was not sealed with this shop's secret, for this purpose and owner. */
export function unsealText({
  sealed,
  purpose,
  owner = "",
}: {
  sealed: string;
  purpose: string;
  owner?: string;
}): string {
  const bytes = Buffer.from(sealed, "base64");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, keyFor(purpose), nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const parts = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(parts).toString("utf8");
}

/**
 * A digest that only this shop can compute: for secrets that are too short for a bare one, which
 * could be found by trying all of them.
 */
export function keyedDigest({ text, purpose }: { text: string; purpose: string }): string {
  return createHmac("sha256", keyFor(purpose)).update(text).digest("hex");
}
