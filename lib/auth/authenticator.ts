import { randomInt } from "node:crypto";
import { generateSecret, generateURI, verifySync } from "otplib";
import { toDataURL } from "qrcode";
import { SHOP_NAME } from "@/lib/shop/shop-name";

// The authenticator app's side of two-factor: secrets, codes, the QR code. otplib's defaults are what
// every app supports (RFC 6238 with SHA-1, 6 digits, 30 seconds).

/** Seconds. Clocks differ: the codes of the previous and the next step are valid, too. */
const TOLERANCE = 30;

/** Pixels per module of the QR code. */
const MODULE_SIZE = 6;

/** A new secret of 160 bits, in base32, so that people can type it into an app that cannot scan. */
export const createSecret = (): string => generateSecret();

/**
 * The time step of a typed code, counted from 1970 in periods; null for a wrong code.
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
  // The library throws for anything but six digits.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const epoch = Math.floor(now / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}

/** The `otpauth://` URI of a secret as a QR code: a PNG in a `data:` URL. */
export function qrCodeUrl({ secret, email }: { secret: string; email: string }): Promise<string> {
  const uri = generateURI({ issuer: SHOP_NAME, label: email, secret });
  return toDataURL(uri, { scale: MODULE_SIZE });
}

const RECOVERY_CODES = 10;
/** Without vowels, which make words, and without characters that look alike. */
const RECOVERY_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ23456789";
const RECOVERY_LETTERS = 20;
/** The same length as the app's codes. */
const RECOVERY_LENGTH = 6;

/**
 * Ten codes that stand in for the app, each usable once. They fit into the field for the app's six digits;
 * their first letter distinguishes them from the app's codes. Guessing a recovery code is 150 times less
 * likely than guessing one of the app's codes.
 */
export function createRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) {
    const first = RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_LETTERS));
    const rest = Array.from({ length: RECOVERY_LENGTH - 1 }, () =>
      RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length)),
    );
    codes.add(first + rest.join(""));
  }
  return [...codes];
}

/** The letters and digits of a typed code, in capitals: people add spaces and hyphens. */
export function normaliseCode(typed: string): string {
  return typed
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toUpperCase();
}
