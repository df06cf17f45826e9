import { createHash } from "node:crypto";

/** Share pictures, in pixels: the proportions that every network shows uncut. */
export const PICTURE_WIDTH = 1200;
export const PICTURE_HEIGHT = 630;

/** Raised when the drawing changes (share-card.ts), so that networks fetch the pictures anew. */
const DRAWING = 1;

/** What a product's share picture shows. */
export interface ProductCard {
  name: string;
  /** As shown: "42,90 €". */
  price: string;
  /** As the product has it: file name, path, address or null. */
  image: string | null;
}

/** Tells states of a product's picture apart; it stands in its address and is its ETag. */
export function cardVersion({ name, price, image }: ProductCard): string {
  const content = JSON.stringify([DRAWING, name, price, image]);
  return createHash("sha256").update(content).digest("base64url").slice(0, 12);
}

/**
 * What crawlers are asked to pass over: what belongs to one visitor, and text searches, each of
 * which is rendered for its own request. A path stands for all that begin with it.
 */
export const CLOSED_PATHS = [
  "/api/",
  "/backoffice",
  "/account",
  "/profile",
  "/addresses",
  "/orders",
  "/order/",
  "/cart",
  "/checkout",
  "/login",
  "/register",
  "/forget-password",
  "/reset-password",
  "/account-verification",
  "/mailbox",
  "/products?*search=",
] as const;
