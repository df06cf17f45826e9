import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { authSecrets } from "@/lib/env";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The keys of a purpose, derived from the shop's secrets. A text that is sealed for one purpose cannot be
 * opened for another. The first key seals and signs; the key of AUTH_SECRET_PREVIOUS only opens and
 * verifies.
 */
export function keysFor(purpose: string): Uint8Array[] {
  return authSecrets().map((secret) => new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32)));
}

function currentKey(purpose: string): Uint8Array {
  const [key] = keysFor(purpose);
  if (!key) throw new Error("There is no secret.");
  return key;
}

interface SealContext {
  purpose: string;
  /** The row that the texts belong to. A text that is moved to another row does not open there. */
  owner?: string;
}

/** Encrypts texts for the database (AES-256-GCM). */
export const sealerFor = (context: SealContext) => ({
  seal: (text: string): string => encrypt(text, context),
  /** Throws if the text was not sealed with one of this shop's secrets, for this purpose and owner. */
  unseal: (sealed: string): string => open(sealed, context).text,
  /** The same text, sealed with the current secret; null if it already is. Throws as `unseal`. */
  reseal: (sealed: string): string | null => {
    const { text, isCurrent } = open(sealed, context);
    return isCurrent ? null : encrypt(text, context);
  },
});

function encrypt(text: string, { purpose, owner = "" }: SealContext): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, currentKey(purpose), nonce);
  cipher.setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64");
}

function open(
  sealed: string,
  { purpose, owner = "" }: SealContext,
): { text: string; isCurrent: boolean } {
  const bytes = Buffer.from(sealed, "base64");
  let failure: unknown;
  for (const [index, key] of keysFor(purpose).entries()) {
    try {
      return { text: decrypt({ bytes, key, owner }), isCurrent: index === 0 };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function decrypt({ bytes, key, owner }: { bytes: Buffer; key: Uint8Array; owner: string }): string {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const parts = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(parts).toString("utf8");
}

/** A digest that only this shop can compute. */
export function keyedDigest({ text, purpose }: { text: string; purpose: string }): string {
  return hmac({ key: currentKey(purpose), text });
}

/** Is it this shop's digest of the text, made with one of its secrets? Compares in constant time. */
export function isKeyedDigest({
  digest,
  text,
  purpose,
}: {
  digest: string;
  text: string;
  purpose: string;
}): boolean {
  return keysFor(purpose).some((key) => isSameText(hmac({ key, text }), digest));
}

/** HMAC-SHA-256, in hex. */
export function hmac({ key, text }: { key: Uint8Array; text: string }): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

/** Compares secrets in a time that does not reveal where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
