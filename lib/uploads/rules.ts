/** Bytes that an uploaded picture may have. */
export const UPLOAD_LIMIT = 8_000_000;

export const PICTURE_KINDS = ["jpg", "png", "gif", "webp"] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** The kind of picture by its first bytes; names and declared types say what their sender likes. */
export function pictureKindOf(bytes: Uint8Array): PictureKind | null {
  const startsWith = (text: string, at = 0) =>
    [...text].every((char, index) => bytes[at + index] === char.charCodeAt(0));
  if (startsWith("\xff\xd8\xff")) return "jpg";
  if (startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (startsWith("GIF87a") || startsWith("GIF89a")) return "gif";
  if (startsWith("RIFF") && startsWith("WEBP", 8)) return "webp";
  return null;
}
