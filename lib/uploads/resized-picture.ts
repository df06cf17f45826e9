// Next.js resizes the shop's pictures (`/_next/image`). It treats each spelling of a picture's URL as another
// picture, which it resizes and stores on the disk. So only one spelling is accepted.

/** The only quality is `qualities` in next.config.ts. */
const QUERY = /^\?url=([^&]+)&w=[1-9]\d{1,3}&q=75$/;

/** Unencoded paths only: encoded characters, `.` and `..` segments and queries would be other spellings. */
const PATH = /^\/images(?:\/(?!\.{1,2}(?:\/|$))[^/\\?#%\p{C}]+)+$/u;

/** Whether the picture at this URL can be resized; other pictures are shown in their original size. */
export const isResizable = (url: string): boolean => PATH.test(url);

/** Whether a query of `/_next/image` has exactly the spelling of the shop's pages. */
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
