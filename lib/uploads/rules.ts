/** Maximum size of an uploaded picture, in bytes. */
export const UPLOAD_LIMIT = 8_000_000;

export const PICTURE_KINDS = ["jpg", "png", "gif", "webp"] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Whether the bytes contain this text at an offset. */
const hasText = (bytes: Uint8Array, text: string, at = 0) =>
  [...text].every((char, index) => bytes[at + index] === char.charCodeAt(0));

/** The kind of picture by its first bytes; file names and declared types cannot be trusted. */
export function pictureKindOf(bytes: Uint8Array): PictureKind | null {
  if (hasText(bytes, "\xff\xd8\xff")) return "jpg";
  if (hasText(bytes, "\x89PNG\r\n\x1a\n")) return "png";
  if (hasText(bytes, "GIF87a") || hasText(bytes, "GIF89a")) return "gif";
  if (hasText(bytes, "RIFF") && hasText(bytes, "WEBP", 8)) return "webp";
  return null;
}

/** Kinds of pictures that phones and other sites produce, and the shop rejects. */
export type OtherPictureKind = "AVIF" | "HEIC";

/** The brands of these kinds in ISO base media files (ISO/IEC 14496-12). */
const BRANDS: Record<OtherPictureKind, readonly string[]> = {
  AVIF: ["avif", "avis"],
  HEIC: ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1"],
};

/** The kind of a rejected picture by its first bytes. */
export function otherPictureKindOf(bytes: Uint8Array): OtherPictureKind | null {
  if (!hasText(bytes, "ftyp", 4)) return null;
  // The box has the main brand, a version, and compatible brands. AVIF files also have HEIC's general brand.
  const length = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), 256);
  const places = [8, ...Array.from({ length: length / 4 }, (_, i) => 16 + i * 4)];
  const has = (kind: OtherPictureKind) =>
    places.some((at) => at < length && BRANDS[kind].some((brand) => hasText(bytes, brand, at)));
  return has("AVIF") ? "AVIF" : has("HEIC") ? "HEIC" : null;
}

/** The kind by the file's name or the browser's type, since not every browser knows these types. */
export function namedPictureKindOf({
  name,
  type,
}: {
  name: string;
  type: string;
}): OtherPictureKind | null {
  if (type === "image/avif" || /\.avifs?$/i.test(name)) return "AVIF";
  return /^image\/hei[cf]/.test(type) || /\.(?:hei[cf]s?|hif)$/i.test(name) ? "HEIC" : null;
}
