import sharp, { type Sharp } from "sharp";
import { fail } from "@/lib/errors";
import { type PictureKind, pictureKindOf } from "./rules";
import { BROKEN_PICTURE, NOT_A_PICTURE, PICTURE_TOO_LARGE } from "./texts";

/** Pixels of all frames together: a few bytes of a file may stand for billions of them. */
const MAX_PIXELS = 50_000_000;
/** Seconds after which a picture that takes so long is given up. */
const PATIENCE = 30;

const ENCODE: Record<PictureKind, (picture: Sharp) => Sharp> = {
  jpg: (picture) => picture.jpeg({ quality: 86, progressive: true }),
  png: (picture) => picture.png({ compressionLevel: 9 }),
  // Its own colours are kept, and what repeats from frame to frame is left out.
  gif: (picture) => picture.gif({ effort: 4 }),
  webp: (picture) => picture.webp({ quality: 86 }),
};

/**
 * Draws a picture anew, so that nothing but the picture survives: no metadata (what they say of its
 * orientation is applied), no text behind the last pixel. Animations stay so.
 *
 * @throws 415 for what is no picture by its content, 422 for one that is broken or far too large
 */
export async function redrawPicture(
  bytes: Uint8Array,
): Promise<{ bytes: Uint8Array; kind: PictureKind }> {
  const kind = pictureKindOf(bytes);
  if (kind === null) throw fail.unsupportedType(NOT_A_PICTURE);
  const isAnimated = kind === "gif" || kind === "webp";
  const read = () =>
    sharp(bytes, {
      animated: isAnimated,
      failOn: "error",
      // All frames count, and are looked at below.
      limitInputPixels: MAX_PIXELS,
      sequentialRead: true,
    });
  const { width, height, pages = 1, orientation = 1 } = await read().metadata().catch(refuse);
  // With several frames `height` is that of all of them.
  if (width * height > MAX_PIXELS) throw fail.violation("file", PICTURE_TOO_LARGE);
  const picture = read().timeout({ seconds: PATIENCE });
  const upright = pages === 1 && orientation > 1 ? picture.autoOrient() : picture;
  const drawn = await ENCODE[kind](upright).toBuffer().catch(refuse);
  return { bytes: drawn, kind };
}

function refuse(error: unknown): never {
  const isTooLarge = /pixel limit|too large|timeout/i.test(String(error));
  throw fail.violation("file", isTooLarge ? PICTURE_TOO_LARGE : BROKEN_PICTURE);
}
