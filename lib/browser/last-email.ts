import { readItem, removeItem, storeItem } from "@/lib/browser/expiring-item";

// The e-mail address of a registration in this browser, for the login that follows. Forgotten at that login,
// or when the link in the verification mail has expired.

const KEY = "lastEmail";
const LIFETIME = 48 * 3600 * 1000;

export const rememberEmail = (email: string): void => storeItem(KEY, { email });

/** The address of the last registration; null without one. */
export function readLastEmail(): string | null {
  const email = readItem(KEY, { lifetime: LIFETIME })?.email;
  return typeof email === "string" ? email : null;
}

export const forgetEmail = (): void => removeItem(KEY);
