import { readdirSync } from "node:fs";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { startS3 } from "@/e2e/services/s3";
import { newAdmin, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";

const PATH = "/api/upload";

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 200, g: 30, b: 60 } } });

/** A form with one file in it, as a browser sends it. */
async function formOf({
  bytes,
  name = "photo.png",
  type = "image/png",
}: {
  bytes: Uint8Array;
  name?: string;
  type?: string;
}) {
  const form = new FormData();
  form.set("file", new File([bytes as BlobPart], name, { type }));
  const request = new Request("http://localhost/", { method: "POST", body: form });
  return {
    body: new Uint8Array(await request.arrayBuffer()),
    headers: { "Content-Type": String(request.headers.get("content-type")) },
  };
}

async function send(api: Api, token: string, file: Parameters<typeof formOf>[0]) {
  const answer = await api.post<{ url: string }>(PATH, { token, ...(await formOf(file)) });
  return { answer, url: answer.status === 201 ? answer.json.url : "" };
}

/** Fetches bytes, which the text client would corrupt. */
async function fetchPicture(baseURL: string, url: string) {
  const response = await fetch(baseURL + url);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

test("pictures are stored and served under any name", async ({ api, database, shop }) => {
  const { token } = await newAdmin(database);
  for (const [kind, type, bytes] of [
    ["jpg", "image/jpeg", await picture().jpeg().toBuffer()],
    ["png", "image/png", await picture().png().toBuffer()],
    ["gif", "image/gif", await picture().gif().toBuffer()],
    ["webp", "image/webp", await picture().webp().toBuffer()],
  ] as const) {
    const sent = await send(api, token, { bytes, name: "page.html", type: "text/html" });
    expect(sent.url, sent.answer.text).toMatch(new RegExp(`^/images/[0-9a-f]{40}\\.${kind}$`));
    const { response, bytes: served } = await fetchPicture(shop.baseURL, sent.url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toContain("max-age=31536000");
    expect(await sharp(served).metadata()).toMatchObject({ width: 40, height: 30 });
    // Uploading the picture again changes nothing.
    expect((await send(api, token, { bytes })).url).toBe(sent.url);
    const files = readdirSync(String(shop.env.UPLOADS_DIR));
    expect(files.filter((file) => sent.url.endsWith(file))).toHaveLength(1);
    expect(files.filter((file) => file.endsWith(".tmp"))).toEqual([]);
  }
});

test("metadata is removed, and the orientation applied", async ({ api, database, shop }) => {
  const { token } = await newAdmin(database);
  const jpeg = await picture()
    .withExif({ IFD0: { Copyright: "Secret Address 12" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const polyglot = Buffer.concat([jpeg, Buffer.from("<script>alert(1)</script><?php ?>")]);
  const { url } = await send(api, token, { bytes: polyglot });
  const { bytes } = await fetchPicture(shop.baseURL, url);
  expect(bytes.includes("script")).toBe(false);
  expect(bytes.includes("Secret")).toBe(false);
  const { width, height, exif, orientation = 1 } = await sharp(bytes).metadata();
  expect({ width, height, exif, orientation }).toEqual({ width: 30, height: 40, orientation: 1 });
});

test("animated pictures stay animated", async ({ api, database, shop }) => {
  const { token } = await newAdmin(database);
  const frames = await Promise.all(
    ["red", "lime", "blue"].map((background) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const animation = sharp(frames, { join: { animated: true } });
  for (const bytes of [
    await animation.clone().gif({ delay: 80 }).toBuffer(),
    await animation.clone().webp().toBuffer(),
  ]) {
    const { url } = await send(api, token, { bytes });
    const served = await fetchPicture(shop.baseURL, url);
    expect((await sharp(served.bytes, { animated: true }).metadata()).pages, url).toBe(3);
  }
});

test("other files are refused, AVIF and HEIC with a way out", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const OTHER = "Ce fichier n'est pas une image JPG, PNG, GIF ou WEBP.";
  for (const [content, sentence] of [
    ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', OTHER],
    ["<!doctype html><script>alert(1)</script>", OTHER],
    ["<?php system('id'); ?>", OTHER],
    ["", OTHER],
    ["BM\0\0\0\0\0\0\0\0", OTHER],
    ["%PDF-1.7", OTHER],
    ["II*\0\0\0\0\0", OTHER],
    [
      await picture().avif().toBuffer(),
      "Cette image est au format AVIF, que la boutique ne prend pas. Ouvrez-la dans une application de photos, exportez-la en JPG, PNG, GIF ou WEBP, puis envoyez ce fichier.",
    ],
    [
      "\0\0\0\x18ftypheic\0\0\0\0mif1heic",
      "Cette photo est au format HEIC, que la boutique ne peut pas montrer. Envoyez-la en JPG\u00a0: sur un iPhone, touchez Partager, puis Options, et choisissez «\u00a0Le plus compatible\u00a0»\u202f; pour vos prochaines photos, choisissez-le dans Réglages, Appareil photo, Formats.",
    ],
  ] as const) {
    const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
    const { answer } = await send(api, token, { bytes });
    expect(answer.status, String(content)).toBe(415);
    expect(answer.json).toMatchObject({ detail: expect.stringContaining(sentence) });
  }
});

/** A PNG that claims a size far beyond what its few bytes hold. */
function bomb(side: number): Buffer {
  const crcOf = (data: Buffer) => {
    let crc = ~0;
    for (const byte of data) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc >>> 0;
  };
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crcOf(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const row = Math.ceil(side / 8) + 1;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(row * 1000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test("decompression bombs and broken pictures are refused", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  for (const side of [20_000, 60_000])
    expect(sentencesOf((await send(api, token, { bytes: bomb(side) })).answer)).toEqual({
      file: "Cette image a trop de pixels\u00a0: 50 millions au plus.",
    });
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const size = { width: 300, height: 300, channels: 3, background: "white" } as const;
  for (const kind of ["jpeg", "png", "gif", "webp"] as const) {
    const bytes = await sharp({ create: { ...size, noise } })
      .toFormat(kind)
      .toBuffer();
    for (const length of [30, Math.floor(bytes.length / 2)])
      expect(
        sentencesOf((await send(api, token, { bytes: bytes.subarray(0, length) })).answer),
        `${kind}, ${length} bytes`,
      ).toEqual({ file: "Cette image est illisible ou incomplète." });
  }
});

test("a file may have eight million bytes at most", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const png = await picture().png().toBuffer();
  for (const [length, status, text] of [
    [8_000_000, 201, "/images/"],
    [8_000_001, 413, "8 Mo au plus"],
    [12_000_000, 413, "8 Mo au plus"],
  ] as const) {
    const bytes = Buffer.concat([png, Buffer.alloc(length - png.length)]);
    const { answer } = await send(api, token, { bytes });
    expect(answer, String(length)).toMatchObject({ status, text: expect.stringContaining(text) });
  }
});

test("pictures are stored in a bucket where one is configured", async ({ shopWith, database }) => {
  const s3 = await startS3();
  try {
    const shop = await shopWith({ database: "shared", env: s3.env });
    const { token } = await newAdmin(database);
    const bytes = await picture().webp().toBuffer();
    // A temporary fault of the storage does not fail the upload.
    s3.failNext(1);
    const { url, answer } = await send(shop.api, token, { bytes });
    expect(answer.status, answer.text).toBe(201);
    const key = url.replace("/images/", "boutique/");
    expect(s3.objects.get(key)).toMatchObject({
      contentType: "image/webp",
      cacheControl: "public, max-age=31536000, immutable",
    });
    const { response, bytes: served } = await fetchPicture(shop.baseURL, url);
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(served.equals(s3.objects.get(key)?.bytes ?? Buffer.alloc(0))).toBe(true);
    const again = await shop.api.get(url, {
      headers: { "If-None-Match": String(response.headers.get("etag")) },
    });
    expect(again.status).toBe(304);
    expect((await shop.api.get("/images/inconnue.webp")).status).toBe(404);
    expect(readdirSync(String(shop.env.UPLOADS_DIR))).toEqual([]);
    // With a wrong secret nothing is stored, and the response says that the upload failed.
    const wrong = await shopWith({
      database: "shared",
      env: { ...s3.env, S3_SECRET_ACCESS_KEY: "another" },
    });
    const count = s3.objects.size;
    const form = await formOf({ bytes: await picture().png().toBuffer() });
    const refused = await wrong.api.post(PATH, { token, mayFail: true, ...form });
    expect(refused.status).toBe(503);
    expect(refused.text).not.toContain("SignatureDoesNotMatch");
    expect(s3.objects.size).toBe(count);
  } finally {
    await s3.stop();
  }
});
