// Next.js resizes the shop's pictures (`/_next/image`). It treats each spelling of a picture's URL as another
// picture, which it resizes and stores on the disk. So only one spelling is accepted.

/** The widths in pixels that Next.js resizes to (next.config.ts): of pictures of a fixed size, and of wide ones. */
export const PICTURE_WIDTHS = { fixed: [96, 192, 288], wide: [360, 640, 828, 1080] } as const;

/** The only quality. */
export const PICTURE_QUALITY = 75;

const QUERY = new RegExp(`^\\?url=([^&]+)&w=[1-9]\\d{1,3}&q=${PICTURE_QUALITY}$`);

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

/** The URL of a picture of the shop in a width of `PICTURE_WIDTHS`. */
export const resizedUrl = (path: string, width: number): string =>
  `/_next/image?url=${encodeURIComponent(path)}&w=${width}&q=${PICTURE_QUALITY}`;

const ALL_WIDTHS = [...PICTURE_WIDTHS.fixed, ...PICTURE_WIDTHS.wide];

/**
 * The attributes with which a browser chooses the picture's width. As `getImageProps` of next/image makes them,
 * whose code would be a sixth of the shop's own in a page's JavaScript.
 *
 * @param widest the largest width that a screen needs, one of `PICTURE_WIDTHS`
 */
export function pictureAttributes({
  src,
  sizes,
  widest,
}: {
  src: string;
  sizes: string;
  widest: number;
}): { src: string; srcSet?: string; sizes?: string } {
  if (!isResizable(src)) return { src };
  // Widths below the smallest share of a window that `sizes` names are for no screen.
  const shares = [...sizes.matchAll(/(\d+)vw/g)].map(([, share]) => Number(share) / 100);
  const narrowest = shares.length > 0 ? PICTURE_WIDTHS.wide[0] * Math.min(...shares) : 0;
  const widths = ALL_WIDTHS.filter((width) => width >= narrowest && width <= widest);
  return {
    sizes,
    srcSet: widths.map((width) => `${resizedUrl(src, width)} ${width}w`).join(", "),
    src: resizedUrl(src, widest),
  };
}
