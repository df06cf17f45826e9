import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { createCategory, createProduct } from "@/db/factories/catalogue";
import { sameWords } from "@/lib/catalogue/view-path";
import { newAdmin } from "../admin";
import { type Answer, ask as askServer } from "../answers";
import { expect, test } from "../fixtures";

// What is stored and for how long. That a stored page is the same from Next.js and from server.mjs: both-ways.spec.ts.

const GZIP = { "Accept-Encoding": "gzip, deflate, br" };

function ask(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const { origin, pathname, search } = new URL(url);
  return askServer(origin, { path: pathname + search, method, headers });
}

/** Requests data as the router does: Next.js redirects to a URL that includes a hash of the headers. */
async function askForData(url: string): Promise<Answer> {
  const headers = { ...GZIP, RSC: "1" };
  const { headers: answered } = await ask(url, headers);
  return ask(new URL(answered.location ?? "", url).href, headers);
}

test("server.mjs sends a stored page compressed, with its length", async ({ shop }) => {
  for (const path of ["/", "/products?type=digital&page=2", "/product/34", "/contact"]) {
    // An address that nobody has asked for before: the same page that is rendered again is compressed at once.
    const url = `${shop.baseURL}${path}${path.includes("?") ? "&" : "?"}visite=${Date.now()}`;
    await shop.forgetCaches();
    for (const stored of ["MISS", "HIT"]) {
      const { headers } = await ask(url, GZIP);
      expect([headers["x-nextjs-cache"], headers["content-encoding"]], path).toEqual([
        stored,
        undefined,
      ]);
    }
    const packed = await ask(url, GZIP);
    expect(packed.headers).toMatchObject({
      "content-encoding": "gzip",
      "content-length": String(packed.body.length),
      vary: expect.stringMatching(/rsc.*Accept-Encoding/),
    });
    // The router's header makes Next.js answer, and changes nothing of the document.
    const byNext = await ask(url, { ...GZIP, "Next-Url": "/" });
    expect(byNext.headers["content-encoding"], path).toBeUndefined();
    expect(gunzipSync(packed.body).equals(byNext.body), path).toBe(true);
    const head = await ask(url, GZIP, "HEAD");
    expect([head.headers["content-length"], head.body.length], path).toEqual([
      packed.headers["content-length"],
      0,
    ]);
  }
});

test("a stored page is compressed for clients that take gzip only", async ({ shop }) => {
  const url = `${shop.baseURL}/contact`;
  for (let turn = 0; turn < 2; turn++) await ask(url, GZIP);
  for (const [accepted, encoding] of [
    ["gzip", "gzip"],
    ["br, gzip", "gzip"],
    ["gzip;q=0.5, br", "gzip"],
    ["br, gzip ; q=1.0", "gzip"],
    ["gzip;q=0", undefined],
    ["gzip; q=0.0, br", undefined],
    ["identity", undefined],
    ["", undefined],
  ] as const) {
    const answer = await ask(url, { "Accept-Encoding": accepted });
    expect(answer.headers["content-encoding"], accepted).toBe(encoding);
  }
});

test("a request for the data of a stored page does not get the document", async ({ shop }) => {
  const [first, second] = [`${shop.baseURL}/product/34`, `${shop.baseURL}/product/35`];
  for (let round = 0; round < 3; round++) await ask(first, GZIP);
  expect((await askForData(first)).headers["content-type"]).toContain("text/x-component");
  expect((await ask(first, GZIP)).headers["content-type"]).toContain("text/html");
  // In the other order, too.
  for (let round = 0; round < 3; round++) await askForData(second);
  expect((await ask(second, GZIP)).headers["content-type"]).toContain("text/html");
});

test("private and unknown pages, searches and links are sent by Next.js", async ({ shop }) => {
  for (const path of ["/cart", "/product/99999999", "/products?search=tasse", "/reset-password/a"])
    for (let round = 0; round < 3; round++) {
      const { headers } = await ask(shop.baseURL + path, GZIP);
      expect(headers["content-encoding"], path).toBeUndefined();
    }
});

test("a changed price is in the next response", async ({ shop, database: db }) => {
  const { token } = await newAdmin(db);
  const product = await createProduct({ db, priceCents: 1250 });
  const url = `${shop.baseURL}/product/${product.id}`;
  for (const [price, shown] of [
    [13.37, "13,37"],
    [14.42, "14,42"],
  ] as const) {
    for (let round = 0; round < 3; round++) await ask(url, GZIP);
    const change = await shop.api.put(`/api/physical_products/${product.id}`, {
      token,
      json: { price },
    });
    expect(change.status, change.text).toBe(200);
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => ask(url, index % 2 ? GZIP : {})),
      );
      for (const { headers, body } of answers) {
        const isPacked = headers["content-encoding"] === "gzip";
        expect(String(isPacked ? gunzipSync(body) : body)).toContain(shown);
      }
    }
  }
  expect((await shop.api.delete(`/api/products/${product.id}`, { token })).status).toBe(204);
  expect((await ask(url, GZIP)).status).toBe(404);
});

test("an expired page is rendered again", async ({ shopWith }) => {
  const shop = await shopWith();
  const url = `${shop.baseURL}/product/34`;
  const ageOf = async () => (await ask(url, GZIP)).headers["x-nextjs-cache"];
  await ageOf();
  for (let round = 0; round < 2; round++) {
    await expect.poll(ageOf).toBe("HIT");
    await shop.advanceClock(10 * 60);
    expect(await ageOf()).toBe("STALE");
  }
});

/** The tag of a page's search box. */
const searchBoxOf = (html: string) => /<input[^>]*\bid="filter-search"[^>]*>/.exec(html)?.[0] ?? "";

test("a search never shows the words of another", async ({ shop }) => {
  const texts = ["thé", "the", "THÉ", "the&type=digital", "the/page/2", "/../the", "."];
  texts.push("%41", "A", "50 %", "<b>", '"the"', "日本", "c++", "c--");
  for (let round = 0; round < 2; round++)
    for (const text of texts) {
      const url = `${shop.baseURL}/products?search=${encodeURIComponent(text)}`;
      const html = String((await ask(url)).body);
      const escaped = text
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;");
      expect(searchBoxOf(html), text).toContain(` value="${escaped}"`);
      expect(html, text).toContain(`<title>Recherche «\u00a0${escaped}\u00a0» - Nos produits`);
      expect(html, text).toContain('<meta name="robots" content="noindex, follow"/>');
    }
});

test("a changed product is in the next search", async ({ shop, database: db }) => {
  const { token } = await newAdmin(db);
  const { id: defaultCategory } = await createCategory({ db });
  const expectFound = async (words: string, name: string | null) => {
    const url = `${shop.baseURL}/products?search=${encodeURIComponent(words)}`;
    const html = String((await ask(url)).body);
    expect(/href="\/product\/\d+/.test(html), words).toBe(name !== null);
    if (name) expect(html).toContain(name);
  };
  await expectFound("Zorglub moiré", null);
  const json = { name: "Zorglub moiré", description: "Un objet.", price: 12, defaultCategory };
  const added = await shop.api.post<{ id: number }>("/api/physical_products", { token, json });
  expect(added.status, added.text).toBe(201);
  await expectFound("Zorglub moiré", "Zorglub moiré");
  await expectFound("ZORGLUB moire", "Zorglub moiré");

  const path = `/api/physical_products/${added.json.id}`;
  const renamed = await shop.api.put(path, { token, json: { name: "Gaston mat" } });
  expect(renamed.status, renamed.text).toBe(200);
  await expectFound("Zorglub moiré", null);
  await expectFound("gaston MAT", "Gaston mat");
  expect((await shop.api.delete(`/api/products/${added.json.id}`, { token })).status).toBe(204);
  await expectFound("gaston MAT", null);
});

test("searches that share their data are equal to the database, too", async ({ database: db }) => {
  const texts = [
    ...["Théière", "THÉIÈRE", "the\u0301ie\u0300re", "Œuvre", "Straße", "Ærø", "İstanbul", "Ễ"],
    ...["Ångström", "l’été, c’est beau\u202f!", "мой", "Ёлка", "ά", "हिन्दी", "日本", "C++"],
  ];
  for (const text of texts) {
    const [row] = await db.execute<{ typed: string; shared: string }>(
      sql`select search_normalise(${text.normalize("NFC")}) as typed, search_normalise(${sameWords(text)}) as shared`,
    );
    expect(row?.shared, text).toBe(row?.typed);
  }
  expect(sameWords("THÉIÈRE")).toBe(sameWords("theiere"));
  expect(sameWords("мой")).not.toBe(sameWords("мои"));
});
