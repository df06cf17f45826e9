import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { type S3Server, startS3 } from "@/e2e/services/s3";
import { downloadLinkFor } from "@/lib/downloads/link";
import { test as base, expect } from "../fixtures";
import { expectResumable } from "../partial-download";

// Files for sale in the shop's bucket: served as from a folder, and never as pictures.

const CONTENT = "Le contenu du guide, que seuls ses acheteurs lisent.";
const size = String(Buffer.byteLength(CONTENT));

const test = base.extend<{ s3: S3Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from the pattern.
  s3: async ({}, use) => {
    const s3 = await startS3();
    await use(s3);
    await s3.stop();
  },
});

test("files for sale are served from the shop's bucket", async ({ s3, shopWith, database: db }) => {
  const shop = await shopWith({ database: "shared", env: s3.env });
  /** Creates a buyer of a file of this name. Returns the buyer's link. */
  const buy = async (name: string) => {
    const user = await createUser({ db });
    const link = `/downloads/${name}`;
    const product = await createProduct({ db, type: "digital", downloadLink: link });
    const { lines } = await createOrder({ db, user, items: [{ product }] });
    return String(downloadLinkFor({ link, lineId: Number(lines[0]?.id), viewer: user }));
  };
  /** Puts a file for sale into the bucket. */
  const put = (name: string, bytes: Buffer) =>
    s3.objects.set(`boutique/downloads/${name}`, {
      bytes,
      contentType: undefined,
      cacheControl: undefined,
    });
  const expectUnavailable = async (link: string) => {
    const answer = await shop.api.get<{ error: string }>(link, { mayFail: true });
    expect([answer.status, answer.json.error]).toEqual([
      503,
      "Le téléchargement est momentanément impossible. Réessayez dans un instant.",
    ]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  };

  await test.step("a file is served from the bucket, completely and by range", async () => {
    const name = "2026/Recettes d’été (n° 1) + l'index !.pdf";
    put(name, Buffer.from(CONTENT));
    const link = await buy(name);
    const answer = await shop.api.get(link);
    expect([answer.status, answer.text]).toEqual([200, CONTENT]);
    expect(answer.headers).toMatchObject({
      "content-type": "application/pdf",
      "content-length": size,
      "cache-control": "private, no-store",
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    const sent = s3.transfers.length;
    const head = await shop.api.request("HEAD", link);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers).toMatchObject({ "content-length": size, etag: answer.headers.etag });
    expect(s3.transfers, "sent for a HEAD").toHaveLength(sent);

    const replace = (content: string) => {
      put(name, Buffer.from(content));
    };
    await expectResumable({ api: shop.api, link, content: CONTENT, replace });
    put(name, Buffer.alloc(0));
    const empty = await shop.api.get(link);
    expect([empty.status, empty.text, empty.headers["content-length"]]).toEqual([200, "", "0"]);
  });

  await test.step("files that are not in the bucket are served from the folder", async () => {
    const folder = path.join(String(shop.env.DOWNLOADS_DIR), "seau");
    mkdirSync(folder, { recursive: true });
    // The file's name as macOS writes it. The product has the name as a form sends it.
    writeFileSync(path.join(folder, "été.pdf".normalize("NFD")), CONTENT);
    const link = await buy("seau/été.pdf".normalize("NFC"));
    expect((await shop.api.get(link)).text).toBe(CONTENT);
    put("seau/été.pdf".normalize("NFC"), Buffer.from("Nouvelle édition"));
    expect((await shop.api.get(link)).text).toBe("Nouvelle édition");
    const nowhere = await shop.api.get(await buy("seau/absent.pdf"));
    expect(nowhere.status).toBe(404);
    expect(nowhere.text).toContain("Ce fichier n'est pas disponible pour le moment.");
    await expect.poll(() => shop.log()).toContain("sold file is missing");
  });

  await test.step("nothing below the downloads prefix is served as a picture", async () => {
    put("affiche.png", Buffer.from("a poster that is sold"));
    expect((await shop.api.get(await buy("affiche.png"))).status).toBe(200);
    const before = s3.requests.length;
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
    expect(s3.requests.slice(before)).toEqual([]);
  });

  await test.step("a large file is streamed with back pressure, and stops when the client disconnects", async () => {
    const bytes = randomBytes(96_000_000);
    put("film.mp4", bytes);
    const link = await buy("film.mp4");
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get(shop.baseURL + link, resolve).on("error", reject);
    });
    expect(response.headers["content-length"]).toBe(String(bytes.length));
    const transfer = s3.transfers.at(-1);
    // The client does not read: only as much as buffers hold has left the bucket.
    let sent = -1;
    const isStill = () => {
      const before = sent;
      sent = transfer?.sent ?? 0;
      return sent === before;
    };
    await expect.poll(isStill, { intervals: [500] }).toBe(true);
    expect(transfer?.state).toBe("under way");
    expect(sent).toBeLessThan(40_000_000);
    response.destroy();
    await expect.poll(() => transfer?.state).toBe("broken off");

    const whole = await fetch(shop.baseURL + link);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    await expect.poll(() => s3.transfers.at(-1)?.state).toBe("whole");
  });

  await test.step("a bucket outage is a French 503, and the same link works afterwards", async () => {
    put("guide.pdf", Buffer.from(CONTENT));
    const link = await buy("guide.pdf");
    s3.failNext(1000);
    await expectUnavailable(link);
    const browser = await shop.api.get(link, { accept: "text/html,*/*" });
    expect([browser.status, browser.headers.location]).toEqual([303, "/orders?lien=echec"]);
    await expect.poll(() => shop.log()).toContain("sold file cannot be read");
    s3.failNext(1);
    const again = await shop.api.get(link);
    expect([again.status, again.text]).toEqual([200, CONTENT]);
    await s3.stop();
    await expectUnavailable(link);
  });
});
