import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { Font } from "@react-pdf/renderer";
import sharp from "sharp";
import { forgetEnv } from "@/lib/env";
import { drawProductCard, drawSiteCard, WITHOUT_GLYPH } from "./share-card";

const CARD = { name: "Théière en fonte émaillée", price: "42,90\u00a0€", image: null };

let uploads: string;

test.beforeAll(async () => {
  uploads = await mkdtemp(path.join(tmpdir(), "uploads-"));
  await writeFile(path.join(uploads, "red.png"), await plain("#ff0000").png().toBuffer());
  await writeFile(path.join(uploads, "broken.png"), "no picture");
  process.env.UPLOADS_DIR = uploads;
  forgetEnv();
});

test.afterAll(async () => {
  delete process.env.UPLOADS_DIR;
  forgetEnv();
  await rm(uploads, { recursive: true, force: true });
});

const plain = (background: string) =>
  sharp({ create: { width: 40, height: 40, channels: 3, background } });

/** A part of a picture, as raw RGB. */
function pixels(picture: Uint8Array, area: [number, number, number, number]): Promise<Buffer> {
  const [left, top, width, height] = area;
  return sharp(picture).extract({ left, top, width, height }).removeAlpha().raw().toBuffer();
}

/** Colour in the middle of the card's left part. */
async function pictureColour(image: string | null): Promise<number[]> {
  return [...(await pixels(await drawProductCard({ ...CARD, image }), [280, 315, 1, 1]))];
}

test("cards are JPEG pictures of 1200 × 630", async () => {
  for (const picture of [await drawProductCard(CARD), await drawSiteCard()]) {
    const { format, width, height } = await sharp(picture).metadata();
    expect({ format, width, height }).toEqual({ format: "jpeg", width: 1200, height: 630 });
    expect(picture.byteLength).toBeLessThan(300_000);
  }
});

test("characters that the font lacks are left out", async () => {
  const draw = (name: string) => drawProductCard({ ...CARD, name });
  for (const [name, drawn] of [
    ["Thé 🎁 vert 東京", "Thé vert"],
    ["👩‍🍳 Tablier", "Tablier"],
    ["Kraków, Žižkov", "Kraków, Zizkov"],
    ["Co\u00adton\u202fbio\u0007", "Coton bio"],
    ["e\u0301te\u0301", "été"],
    ["東京", "Mini Ecommerce"],
  ] as const)
    expect(Buffer.from(await draw(name)).equals(await draw(drawn)), name).toBe(true);
});

test("the font contains every character that is drawn", async () => {
  Font.register({ family: "Figtree", src: "app/fonts/figtree-latin-semibold.ttf" });
  await Font.load({ fontFamily: "Figtree" });
  const font = Font.getFont({ fontFamily: "Figtree" }).data as unknown as {
    hasGlyphForCodePoint(codePoint: number): boolean;
  };
  for (let codePoint = 0x20; codePoint < 0x3000; codePoint++) {
    const sign = String.fromCodePoint(codePoint);
    if (sign.replace(WITHOUT_GLYPH, "") !== "")
      expect(font.hasGlyphForCodePoint(codePoint), sign).toBe(true);
  }
});

test("a card shows the uploaded picture, or the placeholder if it is invalid or missing", async () => {
  const placeholder = await pictureColour(null);
  const [red = 0, green = 0, blue = 0] = await pictureColour("/images/red.png");
  expect(red).toBeGreaterThan(240);
  expect(green).toBeLessThan(15);
  expect(blue).toBeLessThan(15);
  expect(placeholder).not.toEqual([red, green, blue]);
  for (const image of [
    ...["broken.png", "missing.png", "../package.json", "/etc/passwd"],
    ...["http://127.0.0.1:9/a.png", "//127.0.0.1:9/a.png"],
  ])
    expect(await pictureColour(image), image).toEqual(placeholder);
});

test("a storage that stalls within a picture does not block the following cards", async () => {
  const storage = createServer((request, response) => {
    response.writeHead(200, { "Content-Length": 1_000 });
    if (request.method === "HEAD") response.end();
    else response.write("the beginning");
  });
  await once(storage.listen(0, "127.0.0.1"), "listening");
  const { port } = storage.address() as AddressInfo;
  const bucket = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: "images",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
  };
  Object.assign(process.env, bucket);
  forgetEnv();
  const limit = AbortSignal.timeout;
  let patience = 0;
  AbortSignal.timeout = (ms) => {
    patience = ms;
    return limit.call(AbortSignal, 100);
  };
  try {
    await expect(pictureColour("stalled.png")).rejects.toThrow("timeout");
    expect(patience).toBe(10_000);
  } finally {
    AbortSignal.timeout = limit;
    for (const name of Object.keys(bucket)) delete process.env[name];
    forgetEnv();
    storage.closeAllConnections();
    storage.close();
  }
});

test("no name makes a card fail or leaves its area", async () => {
  const price = "9\u202f999\u202f999,99\u00a0€";
  for (const name of [
    ...["W".repeat(255), "mot ".repeat(60), '<b>&amp; "gras" </span>', "a\u0001b\u0000c\ud800"],
    ...["🎁", "e\u0301\u200d\ufe0f", "日本語"],
  ]) {
    const margin = await pixels(
      await drawProductCard({ ...CARD, name, price }),
      [1145, 0, 55, 630],
    );
    expect(Math.min(...new Set(margin)), JSON.stringify(name)).toBeGreaterThan(245);
  }
});
