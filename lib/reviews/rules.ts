import { isBlank, visibleLength } from "@/lib/text/visible-text";

/** Reviews shown before 'Voir plus'. */
export const FIRST_SHOWN = 5;

/** Length of a review's text, in characters. */
export const CONTENT_LENGTH = { min: 10, max: 5000 } as const;

export const REVIEW_STATUSES = ["PENDING", "VALIDATED", "REJECTED"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** The orders of reviews; reviews with equal ratings are sorted by date. */
export type ReviewOrder = "newest" | "best" | "worst";

/** The ratings that customers can give, best first. */
export const STARS = [5, 4, 3, 2, 1] as const;

/** Which reviews of a product are listed, and in which order. */
export interface ReviewView {
  order: ReviewOrder;
  /** Only reviews with this rating; null for all. */
  stars: number | null;
}

/** The number of published reviews by their rating. */
export type RatingCounts = Partial<Record<number, number>>;

/** A review that everybody may read. */
export interface PublishedReview {
  id: number;
  rating: number;
  content: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  /** ISO 8601, UTC; null without a known purchase (a review entered by admins). */
  purchasedAt: string | null;
  /** "Camille D.": the family name is private. */
  author: string;
}

/** The author's public name. */
export function authorName({
  firstName,
  lastName,
}: {
  firstName: string;
  lastName: string;
}): string {
  return `${firstName} ${initialOf(lastName)}`.trim();
}

/** "D." for "Durand"; empty for an empty name. */
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
 * Cleans a review's text before it is stored: trims the ends of lines, keeps at most one empty line in a row,
 * removes control codes, and replaces lone surrogates.
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

/** Whether a cleaned text is long enough; invisible characters do not count. */
export function isLongEnough(content: string): boolean {
  return visibleLength(content) >= CONTENT_LENGTH.min;
}
