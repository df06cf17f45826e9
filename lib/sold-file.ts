// Where the file of a digital product lies, by its link: in the shop's own folder of downloads, or
// elsewhere. Administrators may write what buyers can open.

/** As people name files: no sign that leads elsewhere, nothing hidden, nothing that is not seen. */
const PLAIN = /^[^./:\\\p{C}\p{Z}][^/:\\\p{C}]{0,199}$/u;

/**
 * The file's path in the shop's folder of downloads, for `/downloads/…` and for a bare file name;
 * null for everything that lies elsewhere or cannot be a file of that folder.
 */
export function storedFileName(link: string): string | null {
  const name = link.startsWith("/downloads/") ? link.slice("/downloads/".length) : link;
  const segments = name.split("/");
  if (name === link && segments.length > 1) return null;
  const isPlain = segments.every((segment) => PLAIN.test(segment));
  return isPlain && segments.length <= 4 ? name : null;
}

export function isWebAddress(link: string): boolean {
  return /^https?:\/\//i.test(link) && URL.canParse(link);
}

/** Can a buyer open it? */
export const isDownloadLink = (link: string): boolean =>
  isWebAddress(link) || storedFileName(link) !== null;
