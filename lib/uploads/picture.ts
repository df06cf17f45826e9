import { fail } from "@/lib/errors/failure";
import { type Sharp, sharp } from "@/lib/files/sharp";
import { otherPictureKindOf, type PictureKind, pictureKindOf } from "./rules";
import { BROKEN_PICTURE, NOT_A_PICTURE, OTHER_PICTURE, PICTURE_TOO_LARGE } from "./texts";

/** Maximum pixels of all frames together, against decompression bombs. */
const MAX_PIXELS = 50_000_000;
const TIMEOUT_SECONDS = 30;

const ENCODE: Record<PictureKind, (picture: Sharp) => Sharp> = {
  jpg: (picture) => picture.jpeg({ quality: 86, progressive: true }),
  png: (picture) => picture.png({ compressionLevel: 9 }),
  // Keeps the palette; omits unchanged parts of frames.
  gif: (picture) => picture.gif({ effort: 4 }),
  webp: (picture) => picture.webp({ quality: 86 }),
};

/**
 * Decodes and re-encodes a picture, so that only its pixels remain: no metadata (the orientation is applied),
 * no data after the image. Animations stay animated.
 *
 * @throws 415 if the content is not a picture, 422 for a broken or far too large picture
 */
export async function reencodePicture(
  bytes: Uint8Array,
): Promise<{ bytes: Uint8Array; kind: PictureKind }> {
  const kind = pictureKindOf(bytes);
  if (kind === null) {
    const other = otherPictureKindOf(bytes);
    throw fail.unsupportedType(other ? OTHER_PICTURE[other] : NOT_A_PICTURE);
  }
  const isAnimated = kind === "gif" || kind === "webp";
  const read = () =>
    sharp(bytes, {
      animated: isAnimated,
      failOn: "error",
      // All frames together are checked below.
      limitInputPixels: MAX_PIXELS,
      sequentialRead: true,
    });
  const { width, height, pages = 1, orientation = 1 } = await read().metadata().catch(refuse);
  // With several frames `height` is their total height.
  if (width * height > MAX_PIXELS) throw fail.violation("file", PICTURE_TOO_LARGE);
  const picture = read().timeout({ seconds: TIMEOUT_SECONDS });
  const upright = pages === 1 && orientation > 1 ? picture.autoOrient() : picture;
  const encoded = await ENCODE[kind](upright).toBuffer().catch(refuse);
  return { bytes: encoded, kind };
}

function refuse(error: unknown): never {
  const isTooLarge = /pixel limit|too large|timeout/i.test(String(error));
  throw fail.violation("file", isTooLarge ? PICTURE_TOO_LARGE : BROKEN_PICTURE);
}
