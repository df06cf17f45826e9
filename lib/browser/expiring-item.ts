import { withStorage } from "@/lib/browser/storage";

// What this browser remembers for a limited time: JSON objects in local storage, with the time `at` which
// they were stored, in milliseconds. Anybody at the browser can change them, so readers check the fields.

/** Stores fields under a key. Does nothing in a browser without storage. */
export function storeItem(key: string, fields: Record<string, unknown>): void {
  withStorage(() => localStorage.setItem(key, JSON.stringify({ ...fields, at: Date.now() })));
}

/** The stored fields; null if there are none, or if they are older than the lifetime in milliseconds. */
export function readItem(
  key: string,
  { lifetime }: { lifetime: number },
): Record<string, unknown> | null {
  const text = withStorage(() => localStorage.getItem(key)) ?? null;
  return text === null ? null : freshFields(text, { lifetime, now: Date.now() });
}

export function removeItem(key: string): void {
  withStorage(() => localStorage.removeItem(key));
}

/** The fields of a stored text; null if it is malformed, too old, or from the future. */
export function freshFields(
  text: string,
  { lifetime, now }: { lifetime: number; now: number },
): Record<string, unknown> | null {
  let item: unknown;
  try {
    item = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof item !== "object" || item === null || !("at" in item)) return null;
  const { at } = item;
  if (typeof at !== "number" || at > now || now - at > lifetime) return null;
  return item as Record<string, unknown>;
}
