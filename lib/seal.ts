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
 * The keys of a purpose, derived from the shop's secrets: what is sealed for one purpose cannot be
 * opened for another. The first one seals and signs; one of AUTH_SECRET_PREVIOUS only opens and checks.
 */
export function keysFor(purpose: string): Uint8Array[] {
  return authSecrets().map((secret) => new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32)));
}

function currentKey(purpose: string): Uint8Array {
  const [key] = keysFor(purpose);
  if (!key) throw new Error("There is no secret.");
  return key;
}

interface Sealed {
  sealed: string;
  purpose: string;
  owner?: string;
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
  const cipher = createCipheriv(ALGORITHM, currentKey(purpose), nonce);
  cipher.setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64");
}

/** Throws for what was not sealed with one of this shop's secrets, for this purpose and owner. */
export function unsealText(sealed: Sealed): string {
  return open(sealed).text;
}

/** The same text, sealed with the present secret; null where it already is. Throws as `unsealText`. */
export function resealText(sealed: Sealed): string | null {
  const { text, isCurrent } = open(sealed);
  return isCurrent ? null : sealText({ ...sealed, text });
}

function open({ sealed, purpose, owner = "" }: Sealed): { text: string; isCurrent: boolean } {
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

/** Is it this shop's digest of the text, made with one of its secrets? Takes the same time for any. */
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

/** A column with texts that are sealed. What a replaced secret has sealed is sealed anew (lib/maintenance/reseal.ts). */
export interface Resealing {
  name: string;
  /** A batch of its rows, in the order of their ids; `after` is "0" before the first one. */
  read(batch: { after: string; limit: number }): Promise<SealedRow[]>;
}

interface SealedRow {
  id: string | number;
  /** The text sealed anew; null where it is not necessary. Throws where no secret opens it. */
  reseal(): string | null;
  /** Stores it, unless the row has changed since it was read. */
  write(sealed: string): Promise<unknown>;
}
