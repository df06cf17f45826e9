import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { type S3Server, startS3 } from "@/e2e/services/s3";
import { downloadLinkFor } from "@/lib/downloads/link";
import { test as base, expect, type Shop } from "../fixtures";
import { expectResumable } from "../partial-download";

// Files for sale in the shop's bucket: served as from a folder, and never as pictures.

interface Bucket {
  s3: S3Server;
  shop: Shop;
  /** Creates a buyer of a file of this name. Returns the buyer's link. */
  buy(name: string): Promise<string>;
  /** Puts a file for sale into the bucket. */
  put(name: string, bytes: Buffer): void;
}

const test = base.extend<{ bucket: Bucket }>({
  bucket: async ({ shopWith, database: db }, use) => {
    const s3 = await startS3();
    const shop = await shopWith({ database: "shared", env: s3.env });
    await use({
      s3,
      shop,
      async buy(name) {
        const user = await createUser({ db });
        const link = `/downloads/${name}`;
        const product = await createProduct({ db, type: "digital", downloadLink: link });
        const { lines } = await createOrder({ db, user, items: [{ product }] });
        return String(downloadLinkFor({ link, lineId: Number(lines[0]?.id), viewer: user }));
      },
      put: (name, bytes) => {
        s3.objects.set(`boutique/downloads/${name}`, {
          bytes,
          contentType: undefined,
          cacheControl: undefined,
        });
      },
    });
    await s3.stop();
  },
});

const CONTENT = "Le contenu du guide, que seuls ses acheteurs lisent.";
const SIZE = Buffer.byteLength(CONTENT);

test("a file is served from the bucket, completely and by range", async ({
  bucket: { shop, ...bucket },
}) => {
  const name = "2026/Recettes d’été (n° 1) + l'index !.pdf";
  bucket.put(name, Buffer.from(CONTENT));
  const link = await bucket.buy(name);
  const answer = await shop.api.get(link);
  expect([answer.status, answer.text]).toEqual([200, CONTENT]);
  expect(answer.headers).toMatchObject({
    "content-type": "application/pdf",
    "content-length": String(SIZE),
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    "content-disposition": `attachment; filename="Recettes d'ete (n_ 1) + l'index !.pdf"; filename*=UTF-8''Recettes%20d%E2%80%99%C3%A9t%C3%A9%20%28n%C2%B0%201%29%20%2B%20l%27index%20!.pdf`,
  });
  const sent = bucket.s3.transfers.length;
  const head = await shop.api.request("HEAD", link);
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(head.headers).toMatchObject({
    "content-length": String(SIZE),
    etag: answer.headers.etag,
  });
  expect(bucket.s3.transfers, "sent for a HEAD").toHaveLength(sent);

  await expectResumable({
    api: shop.api,
    link,
    content: CONTENT,
    replace: (content) => bucket.put(name, Buffer.from(content)),
  });
  bucket.put(name, Buffer.alloc(0));
  const empty = await shop.api.get(link);
  expect([empty.status, empty.text, empty.headers["content-length"]]).toEqual([200, "", "0"]);
});

test("files that are not in the bucket are served from the folder", async ({
  bucket: { shop, ...bucket },
}) => {
  const folder = path.join(String(shop.env.DOWNLOADS_DIR), "seau");
  mkdirSync(folder, { recursive: true });
  // The file's name as macOS writes it. The product has the name as a form sends it.
  writeFileSync(path.join(folder, "été.pdf".normalize("NFD")), CONTENT);
  const link = await bucket.buy("seau/été.pdf".normalize("NFC"));
  expect((await shop.api.get(link)).text).toBe(CONTENT);
  bucket.put("seau/été.pdf".normalize("NFC"), Buffer.from("Nouvelle édition"));
  expect((await shop.api.get(link)).text).toBe("Nouvelle édition");
  const nowhere = await shop.api.get(await bucket.buy("seau/absent.pdf"));
  expect(nowhere.status).toBe(404);
  expect(nowhere.text).toContain("Ce fichier n'est pas disponible pour le moment.");
  await expect.poll(() => shop.log()).toContain("sold file is missing");
});

test("nothing below the downloads prefix is served as a picture", async ({
  bucket: { shop, ...bucket },
}) => {
  bucket.put("affiche.png", Buffer.from("a poster that is sold"));
  expect((await shop.api.get(await bucket.buy("affiche.png"))).status).toBe(200);
  const before = bucket.s3.requests.length;
  for (const url of [
    "/images/downloads/affiche.png",
    "/images//downloads/affiche.png",
    "/images/./downloads/affiche.png",
    "/images/x/../downloads/affiche.png",
    "/images/%2e/downloads/affiche.png",
    "/images/downloads%2faffiche.png",
    "/images/%64ownloads/affiche.png",
    "/images/DOWNLOADS/affiche.png",
    "/downloads/affiche.png",
    `/_next/image?url=${encodeURIComponent("/images/downloads/affiche.png")}&w=640&q=75`,
  ]) {
    const answer = await shop.api.get(url, { mayFail: true });
    expect(answer.text, url).not.toContain("a poster that is sold");
    expect(answer.status, url).not.toBe(200);
  }
  expect(bucket.s3.requests.slice(before)).toEqual([]);
});

test("a bucket outage is a French 503, and the same link works afterwards", async ({
  bucket: { shop, ...bucket },
}) => {
  bucket.put("guide.pdf", Buffer.from(CONTENT));
  const link = await bucket.buy("guide.pdf");
  const refused = "Le téléchargement est momentanément impossible. Réessayez dans un instant.";
  bucket.s3.failNext(1000);
  const away = await shop.api.get<{ error: string }>(link, { mayFail: true });
  expect([away.status, away.json.error]).toEqual([503, refused]);
  expect(Number(away.headers["retry-after"])).toBeGreaterThan(0);
  const browser = await shop.api.get(link, { accept: "text/html,*/*" });
  expect([browser.status, browser.headers.location]).toEqual([303, "/orders?lien=echec"]);
  await expect.poll(() => shop.log()).toContain("sold file cannot be read");
  bucket.s3.failNext(1);
  const again = await shop.api.get(link);
  expect([again.status, again.text]).toEqual([200, CONTENT]);
  await bucket.s3.stop();
  const gone = await shop.api.get<{ error: string }>(link, { mayFail: true });
  expect([gone.status, gone.json.error]).toEqual([503, refused]);
});

test("a large file is streamed with back pressure, and stops when the client disconnects", async ({
  bucket: { shop, ...bucket },
}) => {
  const bytes = randomBytes(96_000_000);
  bucket.put("film.mp4", bytes);
  const link = await bucket.buy("film.mp4");
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(shop.baseURL + link, resolve).on("error", reject);
  });
  expect(response.headers["content-length"]).toBe(String(bytes.length));
  const transfer = bucket.s3.transfers.at(-1);
  const isUnderWay = () => expect(transfer?.state).toBe("under way");
  // The client does not read: only as much as buffers hold has left the bucket.
  let sent = -1;
  await expect
    .poll(
      () => {
        const isStill = transfer?.sent === sent;
        sent = transfer?.sent ?? 0;
        return isStill;
      },
      { intervals: [500] },
    )
    .toBe(true);
  isUnderWay();
  expect(sent).toBeLessThan(40_000_000);
  response.destroy();
  await expect.poll(() => transfer?.state).toBe("broken off");

  const whole = await fetch(shop.baseURL + link);
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
  await expect.poll(() => bucket.s3.transfers.at(-1)?.state).toBe("whole");
});
