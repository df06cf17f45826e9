import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { strToU8, zipSync } from "fflate";
import { type ProductSeed, productSeeds } from "./catalogue";

// The downloads of the demonstration shop: small valid files of each product's file type.

type DigitalSeed = Extract<ProductSeed, { type: "digital" }>;

const FOLDER = "/downloads/";
const NOTE = "Fichier de démonstration de la boutique Mini Ecommerce.";

/**
 * Stores the file of every digital product that the shop serves itself.
 *
 * @param add stores a file, without overwriting an existing one
 */
export async function writeDemoFiles(
  add: (file: { name: string; bytes: Uint8Array }) => Promise<void>,
): Promise<void> {
  for (const product of productSeeds) {
    if (product.type !== "digital" || !product.downloadLink.startsWith(FOLDER)) continue;
    await add({
      name: product.downloadLink.slice(FOLDER.length),
      bytes: await contentOf(product),
    });
  }
}

export async function contentOf(product: DigitalSeed): Promise<Uint8Array> {
  switch (product.fileType) {
    case "PDF":
      return pdf(product.name);
    case "EPUB":
      return epub(product);
    case "MP3":
      return mp3(product.name);
    case "ZIP":
      return archive({ "LISEZMOI.txt": `${product.name}\n\n${NOTE}\n\n${product.description}\n` });
    case "OTF":
      // A TrueType font is valid OpenType, which allows TrueType outlines.
      return readFile(path.join(process.cwd(), "app/fonts/figtree-latin-semibold.ttf"));
    default:
      throw new Error(`There is no demonstration file of type ${product.fileType}.`);
  }
}

const archive = (texts: Record<string, string>) =>
  zipSync(
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)])),
    // A fixed date gives the same bytes at every start; ZIP dates begin in 1980.
    { mtime: new Date(1980, 0, 1) },
  );

/** One page with two lines, in a standard font that every PDF reader has. */
function pdf(title: string): Uint8Array {
  const stream = `BT /F1 22 Tf 56 760 Td (${pdfText(title)}) Tj /F1 12 Tf 0 -32 Td (${pdfText(NOTE)}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, "0");
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${offset} 00000 n \n`).join("")}`;
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, "latin1");
}

/** A PDF string in Windows-1252, which has all French letters; "œ" and the dash as octal escapes. */
function pdfText(text: string): string {
  const numbers: Record<string, string> = { œ: "\\234", Œ: "\\214", "’": "\\222", "–": "\\226" };
  return text
    .replace(/[\\()]/g, "\\$&")
    .replace(/[œŒ’–]/g, (sign) => numbers[sign] ?? "?")
    .replace(/[^\x20-\xff]/g, " ");
}

/** A book of one chapter. EPUB 3 requires the file `mimetype` first and uncompressed. */
function epub({ slug, name, description }: DigitalSeed): Uint8Array {
  const page = (body: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="fr"><head><title>${xml(name)}</title></head><body>${body}</body></html>`;
  const digest = createHash("sha256").update(slug).digest("hex");
  const id = [8, 12, 16, 20, 32].map((end, i, ends) => digest.slice(ends[i - 1] ?? 0, end));
  return zipSync(
    {
      mimetype: [strToU8("application/epub+zip"), { level: 0 }],
      "META-INF/container.xml": strToU8(
        `<?xml version="1.0"?>\n<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
      ),
      "book.opf": strToU8(
        `<?xml version="1.0" encoding="UTF-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:${id.join("-")}</dc:identifier><dc:title>${xml(name)}</dc:title><dc:language>fr</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="text" href="text.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="text"/></spine></package>`,
      ),
      "nav.xhtml": strToU8(
        page(`<nav epub:type="toc"><ol><li><a href="text.xhtml">${xml(name)}</a></li></ol></nav>`),
      ),
      "text.xhtml": strToU8(
        page(`<h1>${xml(name)}</h1><p>${xml(NOTE)}</p><p>${xml(description)}</p>`),
      ),
    },
    { mtime: new Date(1980, 0, 1) },
  );
}

const xml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Ten seconds of silence with the title as a tag: MPEG frames of 128 kbit/s at 44.1 kHz. */
function mp3(title: string): Uint8Array {
  const text = Buffer.concat([Buffer.from([3]), Buffer.from(title, "utf8")]);
  const frameHeader = Buffer.alloc(10);
  frameHeader.write("TIT2", "latin1");
  frameHeader.writeUInt32BE(syncsafe(text.length), 4);
  const tag = Buffer.concat([frameHeader, text]);
  const tagHeader = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0]);
  tagHeader.writeUInt32BE(syncsafe(tag.length), 6);
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xfffb9000);
  return Buffer.concat([tagHeader, tag, ...Array<Buffer>(383).fill(frame)]);
}

/** ID3 writes lengths in seven bits per byte, so that a length never looks like a frame header. */
const syncsafe = (value: number) =>
  ((value & 0xfe00000) << 3) | ((value & 0x1fc000) << 2) | ((value & 0x3f80) << 1) | (value & 0x7f);
