import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { authSecret } from "@/lib/env";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key of its own, so that nothing sealed here opens or signs anything elsewhere. */
function sealingKey(): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", authSecret(), "", "mail-outbox", 32));
}

/** Encrypts the data of a confidential mail for the time it waits in the outbox. */
export function seal(data: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, sealingKey(), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(data), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Throws for what was not sealed with this shop's secret. */
export function unseal(text: string): unknown {
  const bytes = Buffer.from(text, "base64");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, sealingKey(), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const data = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return JSON.parse(Buffer.concat(data).toString("utf8"));
}
