import { createHash } from "node:crypto";

/** Size of share pictures in pixels: every network shows these proportions uncropped. */
export const PICTURE_WIDTH = 1200;
export const PICTURE_HEIGHT = 630;

/** Increment it when share-card.ts changes, so that networks fetch the pictures again. */
const DESIGN_VERSION = 2;

/** The content of a product's share picture. */
export interface ProductCard {
  name: string;
  /** As shown: "42,90 €". */
  price: string;
  /** The product's `image`: file name, path, URL or null. */
  image: string | null;
}

/** A version of a product's picture, for its URL and its ETag. */
export function cardVersion({ name, price, image }: ProductCard): string {
  const content = JSON.stringify([DESIGN_VERSION, name, price, image]);
  return createHash("sha256").update(content).digest("base64url").slice(0, 12);
}

/** What a shipping method asks for a parcel. */
export interface ShippingOffer {
  priceCents: number;
  /** As buyers read it: "2 à 3 jours ouvrés". */
  delay: string;
}

/** The days of a delay like "2 à 3 jours ouvrés" or "48 heures"; null where it names none. */
export function workingDaysIn(delay: string): { min: number; max: number } | null {
  const [, first, last, unit] =
    /(\d{1,3})(?:\s*(?:à|ou|-|–|et)\s*(\d{1,3}))?\s*(jours?|j|heures?|h)\b/i.exec(delay) ?? [];
  if (!first || !unit) return null;
  const days = (number: string) =>
    unit.toLowerCase().startsWith("h") ? Math.ceil(Number(number) / 24) : Number(number);
  const [min, max] = [days(first), days(last ?? first)];
  return min <= max ? { min, max } : null;
}
