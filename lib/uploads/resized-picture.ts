// Pictures of the shop in the sizes that screens ask for, by Next.js (`/_next/image`). It takes each spelling of
// a picture's address for another picture, which it resizes and keeps on the disk.

/** The one quality: `qualities` in next-config.ts. */
const QUERY = /^\?url=([^&]+)&w=[1-9]\d{1,3}&q=75$/;

/** File names as they are. Encoded ones, dots and queries would be further spellings. */
const PATH = /^\/images(?:\/(?!\.{1,2}(?:\/|$))[^/\\?#%\p{C}]+)+$/u;

/** Can the picture at this URL be resized? Others are shown as they are. */
export const isResizable = (url: string): boolean => PATH.test(url);

/** Is it the query of a resized picture, spelt as the shop's pages do? */
export function isResizedPictureQuery(query: string): boolean {
  const [, url] = QUERY.exec(query) ?? [];
  if (url === undefined) return false;
  try {
    const path = decodeURIComponent(url);
    return isResizable(path) && encodeURIComponent(path) === url;
  } catch {
    return false;
  }
}
