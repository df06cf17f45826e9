import { createHash } from "node:crypto";

/** Share pictures, in pixels: the proportions that every network shows uncut. */
export const PICTURE_WIDTH = 1200;
export const PICTURE_HEIGHT = 630;

/** Incremented when share-card.ts changes, so that networks fetch the pictures anew. */
const DESIGN_VERSION = 2;

/** What a product's share picture shows. */
export interface ProductCard {
  name: string;
  /** As shown: "42,90 €". */
  price: string;
  /** As the product has it: file name, path, URL or null. */
  image: string | null;
}

/** A version of a product's picture, for its URL and its ETag. */
export function cardVersion({ name, price, image }: ProductCard): string {
  const content = JSON.stringify([DESIGN_VERSION, name, price, image]);
  return createHash("sha256").update(content).digest("base64url").slice(0, 12);
}
