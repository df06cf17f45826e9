import { expect, test } from "@playwright/test";
import { namedPictureKindOf, otherPictureKindOf, pictureKindOf } from "./rules";

/** The beginning of an ISO base media file: size of the first box, main brand, version, further brands. */
function media(...[main = "", ...others]: string[]): Uint8Array {
  const size = String.fromCharCode(16 + others.length * 4);
  const head = `\0\0\0${size}ftyp${main}\0\0\0\0${others.join("")}`;
  return Buffer.from(`${head}mdat heic avif`, "latin1");
}

test("AVIF and HEIC are known by their brands", () => {
  for (const [bytes, kind] of [
    [media("heic", "mif1", "heic"), "HEIC"],
    [media("heix"), "HEIC"],
    [media("mif1", "heic"), "HEIC"],
    [media("mif1"), "HEIC"],
    [media("msf1", "hevc"), "HEIC"],
    [media("avif", "mif1", "miaf"), "AVIF"],
    [media("avis"), "AVIF"],
    [media("mif1", "avif"), "AVIF"],
    // Videos, and content that only mentions a brand.
    [media("isom", "mp42"), null],
    [media("qt  "), null],
    [Buffer.from("avif heic ftyp"), null],
    [Buffer.from("\0\0\0\x18ftyp", "latin1"), null],
    [Buffer.from(""), null],
  ] as const) {
    expect(otherPictureKindOf(bytes), String(bytes)).toBe(kind);
    expect(pictureKindOf(bytes)).toBeNull();
  }
});

test("without a known type they are recognised by the file's extension", () => {
  for (const [name, type, kind] of [
    ["IMG_0042.HEIC", "", "HEIC"],
    ["IMG_0042.heif", "application/octet-stream", "HEIC"],
    ["photo", "image/heic", "HEIC"],
    ["photo", "image/heif-sequence", "HEIC"],
    ["photo.avif", "", "AVIF"],
    ["photo", "image/avif", "AVIF"],
    ["photo.jpg", "image/jpeg", null],
    ["heic.png", "image/png", null],
  ] as const)
    expect(namedPictureKindOf({ name, type }), `${name} ${type}`).toBe(kind);
});
