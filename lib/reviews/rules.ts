import { isBlank, visibleLength } from "@/lib/visible-text";

/** Reviews that are shown before 'Voir plus'. */
export const FIRST_SHOWN = 5;

/** Characters of a comment. */
export const CONTENT_LENGTH = { min: 10, max: 5000 } as const;

export const REVIEW_STATUSES = ["PENDING", "VALIDATED", "REJECTED"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** The orders in which a visitor may read reviews; those with as many stars stand by date. */
export type ReviewOrder = "newest" | "best" | "worst";

/** A review that everybody may read. */
export interface PublishedReview {
  id: number;
  rating: number;
  content: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  /** ISO 8601, UTC; null where the shop knows of no purchase (a review that staff wrote down). */
  purchasedAt: string | null;
  /** "Camille D.": the family name is nobody's business. */
  author: string;
}

/** The author as everybody sees them. */
export function authorName({
  firstName,
  lastName,
}: {
  firstName: string;
  lastName: string;
}): string {
  return `${firstName} ${initialOf(lastName)}`.trim();
}

/** "D." for "Durand"; empty where there is no name. */
export function initialOf(name: string): string {
  const [first] = name.trim();
  return first === undefined ? "" : `${first.toLocaleUpperCase("fr")}.`;
}

/** Compares two reviews for a list in this order. */
export function compareReviews(order: ReviewOrder) {
  const sign = order === "best" ? -1 : order === "worst" ? 1 : 0;
  return (a: PublishedReview, b: PublishedReview): number =>
    sign * (a.rating - b.rating) || b.publishedAt.localeCompare(a.publishedAt) || b.id - a.id;
}

/**
 * A comment as it is kept: its lines without blanks at the ends and at most one empty line between
 * them, and nothing that is no character (halves of characters, control codes).
 */
export function cleanContent(text: string): string {
  if (isBlank(text)) return "";
  return text
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .replace(/[^\S\n]+$/gmu, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Is there enough to read in a clean comment? Invisible characters do not count. */
export function isLongEnough(content: string): boolean {
  return visibleLength(content) >= CONTENT_LENGTH.min;
}
