// The download link of a digital product: a file of the shop's own folder of downloads, or a URL.

/** A file name without path separators, leading dots and invisible characters. */
const PLAIN = /^[^./:\\\p{C}\p{Z}][^/:\\\p{C}]{0,199}$/u;

/**
 * The file's path in the shop's folder of downloads, for `/downloads/…` and for a bare file name; null for
 * any other link, and for names that cannot be a file of that folder.
 */
export function storedFileName(link: string): string | null {
  const name = link.startsWith("/downloads/") ? link.slice("/downloads/".length) : link;
  const segments = name.split("/");
  if (name === link && segments.length > 1) return null;
  const isPlain = segments.every((segment) => PLAIN.test(segment));
  return isPlain && segments.length <= 4 ? name : null;
}

export function isHttpUrl(link: string): boolean {
  return /^https?:\/\//i.test(link) && URL.canParse(link);
}

/** Can a buyer open this link? */
export const isDownloadLink = (link: string): boolean =>
  isHttpUrl(link) || storedFileName(link) !== null;
