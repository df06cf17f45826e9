import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";
import { sharp } from "@/lib/sharp";
import { SHOP_NAME } from "@/lib/shop-name";

// The authenticator app's side of two-factor: secrets, codes, the QR code (RFC 6238 with the
// parameters that every app supports: SHA-1, 6 digits, 30 seconds).

const DIGITS = 6;
/** Seconds that a code is valid. */
const PERIOD = 30;
/** Steps before and after the present one whose codes are good: clocks differ. */
const TOLERANCE = 1;

/** Pixels per module of the QR code, and its quiet zone in modules. */
const MODULE_SIZE = 6;
const MARGIN = 4;

/** A new secret, in base32 as people type it into an app that cannot scan. */
export function createSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/**
 * The step of the code that was typed, counted from 1970 in periods; null for a wrong code.
 *
 * @param now milliseconds
 */
export function stepOfCode({
  secret,
  code,
  now = Date.now(),
}: {
  secret: string;
  code: string;
  now?: number;
}): number | null {
  // Anything else is no code, and the library throws for some of it.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const difference = TOTP.validate({
    secret: Secret.fromBase32(secret),
    token: code,
    digits: DIGITS,
    period: PERIOD,
    window: TOLERANCE,
    timestamp: now,
  });
  return difference === null ? null : TOTP.counter({ period: PERIOD, timestamp: now }) + difference;
}

/** The `otpauth://` URI of a secret as a QR code: a PNG in a `data:` URL. */
export async function qrCodeUrl({
  secret,
  email,
}: {
  secret: string;
  email: string;
}): Promise<string> {
  const url = new TOTP({
    issuer: SHOP_NAME,
    label: email,
    secret: Secret.fromBase32(secret),
    digits: DIGITS,
    period: PERIOD,
  }).toString();
  const { size, data } = encode(url, { ecc: "M", border: MARGIN });
  const pixels = Uint8Array.from(data.flat(), (isBlack) => (isBlack ? 0 : 255));
  const png = await sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize(size * MODULE_SIZE, undefined, { kernel: "nearest" })
    .png({ palette: true, colours: 2 })
    .toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}

const RECOVERY_CODES = 10;
/** Without vowels, which make words, and without characters that look alike. */
const RECOVERY_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ23456789";
const RECOVERY_LETTERS = 20;

/**
 * Ten codes that stand in for the app, each usable once. They fit into the field for the app's six
 * digits; the letter at their beginning tells them apart. Guessing one is 150 times less likely
 * than guessing one of the app's codes.
 */
export function createRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) {
    const first = RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_LETTERS));
    const rest = Array.from({ length: DIGITS - 1 }, () =>
      RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length)),
    );
    codes.add(first + rest.join(""));
  }
  return [...codes];
}

/** What was typed as a code, without the spaces and hyphens that people put in, in capitals. */
export function normaliseCode(typed: string): string {
  return typed
    .normalize("NFKC")
    .replace(/[\s-]+/g, "")
    .toUpperCase();
}
