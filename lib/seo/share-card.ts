import { readFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { type OverlayOptions, sharp } from "@/lib/files/sharp";
import { escapeXml } from "@/lib/http/html";
import { SHOP_NAME } from "@/lib/shop/shop-name";
import { imageName, readImage } from "@/lib/uploads/storage";
import { clip } from "./head";
import { PICTURE_HEIGHT, PICTURE_WIDTH, type ProductCard } from "./rules";
import { SHOP_TAGLINE } from "./texts";

// Rendered with sharp, which the shop uses anyway, instead of next/og, which cannot read WebP and
// fetches emoji and missing glyphs from the internet.

// The colours of app/globals.css.
const INK = "#15201b";
const MUTED = "#55605a";
const ACCENT = "#14594a";
const ACCENT_SOFT = "#e4f0ea";
const SURFACE = "#f5f6f3";
const PAPER = "#ffffff";

/** Pango reads neither WOFF nor the pages' variable font, so one weight is stored as TrueType. */
const FONT = "Figtree SemiBold";
const FONT_FILE = path.join(process.cwd(), "app/fonts/figtree-latin-semibold.ttf");

const PUBLIC = path.join(process.cwd(), "public");
const MARK = path.join(PUBLIC, "icons/icon-192.png");
const PLACEHOLDER = "placeholder.webp";

/** Larger pictures are not decoded: a small file may be a decompression bomb. */
const MAX_PIXELS = 50_000_000;

/** Timeout for reading a picture from the storage, in milliseconds: the queue waits meanwhile. */
const TIMEOUT_MS = 10_000;

const MARGIN = 60;
/** The product's picture fills the card from the left edge to this x. */
const PICTURE_EDGE = 560;
const COLUMN = PICTURE_EDGE + MARGIN;
const COLUMN_WIDTH = PICTURE_WIDTH - COLUMN - MARGIN;
const NAME_HEIGHT = 290;
/** Characters of a name that remain readable. */
const MAX_NAME = 120;

/** 1200 × 630 JPEG: the product's picture, its name and price, the shop's name. */
export async function drawProductCard({ name, price, image }: ProductCard): Promise<Uint8Array> {
  const title = printable(name);
  // Render the parts one after the other, to keep one libuv thread busy, not all.
  const picture = await productPicture(image);
  const brand = await brandLine({ left: COLUMN, top: MARGIN, size: 56 });
  const heading = await textLayer({
    text: title,
    size: nameSize(title),
    colour: INK,
    maxHeight: NAME_HEIGHT,
  });
  const amount = await textLayer({
    // The narrow space between thousands would be invisible at this size.
    text: price.replaceAll("\u202f", "\u00a0"),
    size: 60,
    colour: ACCENT,
    maxHeight: 80,
  });
  return jpeg(PAPER, [
    { ...picture, left: 0, top: 0 },
    ...brand,
    { input: heading.input, left: COLUMN, top: 180 },
    { input: amount.input, left: COLUMN, top: PICTURE_HEIGHT - MARGIN - amount.height },
  ]);
}

/** 1200 × 630 JPEG of the shop itself. */
export async function drawSiteCard(): Promise<Uint8Array> {
  const artwork = await siteArtwork();
  const [brand, tagline] = await Promise.all([
    brandLine({ left: MARGIN, top: 200, size: 88 }),
    textLayer({ text: SHOP_TAGLINE, size: 38, colour: MUTED, maxHeight: 200 }),
  ]);
  return jpeg(ACCENT_SOFT, [
    ...(artwork ? [{ input: artwork, gravity: "southeast" }] : []),
    ...brand,
    { input: tagline.input, left: MARGIN, top: 330 },
  ]);
}

function jpeg(background: string, layers: OverlayOptions[]): Promise<Uint8Array> {
  return sharp({
    create: { width: PICTURE_WIDTH, height: PICTURE_HEIGHT, channels: 3, background },
  })
    .composite(layers)
    .jpeg({ quality: 84, chromaSubsampling: "4:4:4" })
    .toBuffer();
}

/** The shop's mark with its name beside it. */
async function brandLine(at: {
  left: number;
  top: number;
  size: number;
}): Promise<OverlayOptions[]> {
  const { left, top, size } = at;
  const [mark, name] = await Promise.all([
    sharp(MARK)
      .resize(size, size)
      .png()
      .toBuffer()
      .catch(() => null),
    textLayer({ text: SHOP_NAME, size: Math.round(size * 0.58), colour: INK, maxHeight: size }),
  ]);
  const indent = mark ? size + Math.round(size / 3.5) : 0;
  return [
    ...(mark ? [{ input: mark, left, top }] : []),
    { input: name.input, left: left + indent, top: top + Math.round((size - name.height) / 2) },
  ];
}

/** Font size of a name in pixels: smaller for long names. */
function nameSize(name: string): number {
  if (name.length <= 42) return 58;
  return name.length <= 80 ? 48 : 38;
}

/** A text as a picture, wrapped to the column, and shrunk if it is still too high. */
async function textLayer(options: {
  text: string;
  /** Pixels. */
  size: number;
  colour: string;
  maxHeight: number;
}): Promise<{ input: Buffer; height: number }> {
  const { text, size, colour, maxHeight } = options;
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${colour}" letter_spacing="${-12 * size}">${escapeXml(text)}</span>`,
      font: `${FONT}, ${size}`,
      fontfile: FONT_FILE,
      width: COLUMN_WIDTH,
      wrap: "word-char",
      spacing: Math.round(size * 0.08),
      // At 72 dpi a point is a pixel.
      dpi: 72,
      rgba: true,
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  if (info.height <= maxHeight && info.width <= COLUMN_WIDTH)
    return { input: data, height: info.height };
  const shrunk = await sharp(data)
    .resize({ width: COLUMN_WIDTH, height: maxHeight, fit: "inside" })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  return { input: shrunk.data, height: shrunk.info.height };
}

/** Characters without a glyph in the font: they would be boxes, or letters of some system font. */
export const WITHOUT_GLYPH = /[^ -~\u00a0-\u00ac\u00ae-\u00ffĂıŒœ–—‘’‚“”„•…‹›€™↑↓−∕]/gu;

/**
 * A name limited to the font's glyphs and to MAX_NAME: letters lose accents that the font lacks, invisible
 * characters are removed, and all other missing characters become a space.
 */
function printable(name: string): string {
  const drawn = name
    .normalize("NFC")
    .replace(
      WITHOUT_GLYPH,
      (sign) => sign.normalize("NFD").replace(WITHOUT_GLYPH, "") || instead(sign),
    );
  return clip(drawn, MAX_NAME) || SHOP_NAME;
}

const instead = (sign: string) => (/[\p{Cf}\p{M}]/u.test(sign) ? "" : " ");

/** The left part of a product's card, as raw pixels; a plain background if no picture can be read. */
async function productPicture(
  image: string | null,
): Promise<Pick<OverlayOptions, "input" | "raw">> {
  for (const file of [image, PLACEHOLDER]) {
    const bytes = file ? await readPicture(file) : null;
    const picture = bytes && (await decoded(bytes));
    if (picture) return picture;
  }
  return {
    input: await sharp({
      create: { width: PICTURE_EDGE, height: PICTURE_HEIGHT, channels: 3, background: SURFACE },
    })
      .png()
      .toBuffer(),
  };
}

/** Null if the bytes are not a picture, or have too many pixels. */
async function decoded(bytes: Uint8Array): Promise<Pick<OverlayOptions, "input" | "raw"> | null> {
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .autoOrient()
      .resize(PICTURE_EDGE, PICTURE_HEIGHT, { fit: "cover" })
      .flatten({ background: SURFACE })
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { input: data, raw: info };
  } catch {
    return null;
  }
}

/**
 * The bytes of a picture of the shop or an uploaded picture. A picture on another server is not fetched, since
 * a product's URL may point anywhere (SSRF).
 *
 * @throws if the storage fails or times out
 */
async function readPicture(image: string): Promise<Uint8Array | null> {
  const name = imageName(image);
  if (name === null) return null;
  const own = await readFile(path.join(/* turbopackIgnore: true */ PUBLIC, "images", name)).catch(
    () => null,
  );
  if (own) return own;
  const uploaded = await readImage(name);
  const stream = await uploaded?.open({ signal: AbortSignal.timeout(TIMEOUT_MS) });
  return stream ? buffer(stream) : null;
}

async function siteArtwork(): Promise<Buffer | null> {
  return sharp(path.join(PUBLIC, "images/home-still-life.webp"))
    .resize({ width: 680 })
    .png({ compressionLevel: 1 })
    .toBuffer()
    .catch(() => null);
}
