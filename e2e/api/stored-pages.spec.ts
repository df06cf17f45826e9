import { once } from "node:events";
import http from "node:http";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { createCategory, createProduct } from "@/db/factories/catalogue";
import { sameWords } from "@/lib/catalogue/view-path";
import { newAdmin } from "../admin";
import { expect, test } from "../fixtures";

// Stored pages that are sent without Next.js are the same as from Next.js: docs/decisions/048.

interface Answer {
  status: number | undefined;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** `fetch` would accept gzip and hide the encoding. */
async function request(
  url: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const request = http.request(url, { method, headers }).end();
  const [answer] = (await once(request, "response")) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
}

const GZIP = { "Accept-Encoding": "gzip, deflate, br" };
/** A header that does not affect the document, but makes Next.js answer. */
const BY_NEXT = { "Next-Url": "/" };

/** Requests data as the router does: Next.js redirects to a URL that includes a hash of the headers. */
async function requestRsc(url: string): Promise<Answer> {
  const headers = { ...GZIP, RSC: "1" };
  const { headers: answer } = await request(url, { headers });
  return request(new URL(answer.location ?? "", url).href, { headers });
}

/** The headers without those of the transfer. */
function withoutTransferHeaders({ headers }: Answer): http.IncomingHttpHeaders {
  const travelling = ["date", "transfer-encoding", "content-length", "content-encoding"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !travelling.includes(name)));
}

const PAGES = ["/", "/products", "/products?type=digital&page=2", "/product/34", "/contact"];

test("parameters that a page does not read lead to the same stored page", async ({ shop }) => {
  for (const path of ["/contact", "/products?type=digital", "/product/34"]) {
    for (let turn = 0; turn < 2; turn++) await request(shop.baseURL + path);
    const stored = await request(shop.baseURL + path, { headers: GZIP });
    const campaign = `${path}${path.includes("?") ? "&" : "?"}utm_source=${"a".repeat(400)}`;
    const answer = await request(shop.baseURL + campaign, { headers: GZIP });
    // A response from Next.js would have no length.
    expect(answer.headers["content-length"], path).toBe(stored.headers["content-length"]);
    expect(answer.body.equals(stored.body), path).toBe(true);
  }
});

test("a stored page is the same with and without Next.js, uncompressed and compressed", async ({
  shop,
}) => {
  for (const path of PAGES) {
    const url = shop.baseURL + path;
    for (const stored of ["MISS", "HIT"]) {
      if (stored === "MISS") await shop.forgetCaches();
      const answer = await request(url, { headers: GZIP });
      expect([answer.status, answer.headers["x-nextjs-cache"]], path).toEqual([200, stored]);
      expect(answer.headers["content-encoding"], path).toBeUndefined();
    }
    const byNext = await request(url, { headers: { ...GZIP, ...BY_NEXT } });
    const plain = await request(url);
    const packed = await request(url, { headers: GZIP });
    for (const answer of [plain, packed])
      expect(withoutTransferHeaders(answer), path).toEqual(withoutTransferHeaders(byNext));
    expect(byNext.headers["content-length"], path).toBeUndefined();
    expect(byNext.headers.vary, path).toMatch(/rsc.*Accept-Encoding/);
    expect(plain.headers["content-length"], path).toBe(String(byNext.body.length));
    expect(plain.body.equals(byNext.body), path).toBe(true);
    expect(packed.headers["content-encoding"], path).toBe("gzip");
    expect(packed.body.length, path).toBeLessThan(byNext.body.length / 4);
    expect(gunzipSync(packed.body).equals(byNext.body), path).toBe(true);
    for (const headers of [{}, GZIP]) {
      const head = await request(url, { method: "HEAD", headers });
      const { body, ...rest } = "Accept-Encoding" in headers ? packed : plain;
      expect(head.headers["content-length"], path).toBe(String(body.length));
      expect(withoutTransferHeaders(head), path).toEqual(withoutTransferHeaders({ body, ...rest }));
    }
  }
});

test("a search is sent as it was rendered, uncompressed and compressed", async ({ shop }) => {
  const url = `${shop.baseURL}/products?search=tasse`;
  await shop.forgetCaches();
  const rendered = await request(url, { headers: GZIP });
  expect(rendered.status).toBe(200);
  expect(rendered.headers["content-encoding"]).toBeUndefined();
  const plain = await request(url);
  const packed = await request(url, { headers: GZIP });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  for (const answer of [plain, packed])
    expect(withoutTransferHeaders(answer)).toEqual(withoutTransferHeaders(rendered));
  expect(plain.body.equals(rendered.body)).toBe(true);
  expect(gunzipSync(packed.body).equals(rendered.body)).toBe(true);
  // A minute later it is rendered again.
  await shop.advanceClock(61);
  expect((await request(url, { headers: GZIP })).headers["content-encoding"]).toBeUndefined();
});

test("HEAD, RSC and 404 answers to a search are not stored", async ({ shop }) => {
  const url = `${shop.baseURL}/products?search=assiette`;
  await shop.forgetCaches();
  const head = await request(url, { method: "HEAD", headers: GZIP });
  expect(head.status).toBe(200);
  const data = await requestRsc(url);
  expect(data.headers["content-type"]).toContain("text/x-component");
  const unknown = `${url}&page=900`;
  for (let round = 0; round < 2; round++) expect((await request(unknown)).status).toBe(404);
  const { html, isRendered } = await search(shop.baseURL, "search=assiette");
  expect(isRendered).toBe(true);
  expect(html).toMatch(/<\/html>\s*$/);
});

test("an RSC request for a stored page's URL does not get the document", async ({ shop }) => {
  const url = `${shop.baseURL}/product/34`;
  for (let round = 0; round < 3; round++) await request(url, { headers: GZIP });
  const data = await requestRsc(url);
  expect(data.headers["content-type"]).toContain("text/x-component");
  expect((await request(url)).headers["content-type"]).toContain("text/html");
  // In the other order, too.
  const other = `${shop.baseURL}/product/35`;
  for (let round = 0; round < 3; round++) await requestRsc(other);
  expect((await request(other)).headers["content-type"]).toContain("text/html");
});

test("a changed price is in the next response, and the same in concurrent ones", async ({
  shop,
  database: db,
}) => {
  const { token } = await newAdmin(db);
  const product = await createProduct({ db, priceCents: 1250 });
  const url = `${shop.baseURL}/product/${product.id}`;
  for (const [price, shown] of [
    [13.37, "13,37"],
    [14.42, "14,42"],
  ] as const) {
    for (let round = 0; round < 3; round++) await request(url, { headers: GZIP });
    const change = await shop.api.put(`/api/physical_products/${product.id}`, {
      token,
      json: { price },
    });
    expect(change.status, change.text).toBe(200);
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => request(url, { headers: index % 2 ? GZIP : {} })),
      );
      for (const { headers, body } of answers) {
        const isPacked = headers["content-encoding"] === "gzip";
        expect(String(isPacked ? gunzipSync(body) : body)).toContain(shown);
      }
    }
  }
  expect((await shop.api.delete(`/api/products/${product.id}`, { token })).status).toBe(204);
  expect((await request(url, { headers: GZIP })).status).toBe(404);
});

test("an expired page is rendered again", async ({ shopWith }) => {
  const shop = await shopWith();
  const url = `${shop.baseURL}/product/34`;
  const ageOf = async () => (await request(url, { headers: GZIP })).headers["x-nextjs-cache"];
  await ageOf();
  for (let round = 0; round < 2; round++) {
    await expect.poll(ageOf).toBe("HIT");
    await shop.advanceClock(10 * 60);
    expect(await ageOf()).toBe("STALE");
  }
});

test("private pages and unknown ones are never stored", async ({ shop }) => {
  for (const path of ["/login", "/product/99999999", "/cart"]) {
    for (let round = 0; round < 3; round++) {
      const answer = await request(shop.baseURL + path, { headers: GZIP });
      expect(answer.headers["content-encoding"], path).toBeUndefined();
    }
  }
});

/** Requests the page of a search. Only stored pages are compressed, so an uncompressed one was rendered. */
async function search(baseURL: string, query: string) {
  const { status, headers, body } = await request(`${baseURL}/products?${query}`, {
    headers: GZIP,
  });
  expect(status, query).toBe(200);
  const isRendered = headers["content-encoding"] === undefined;
  return { html: String(isRendered ? body : gunzipSync(body)), isRendered };
}

/** The tag of a page's search box. */
const searchBoxOf = (html: string) => /<input[^>]*\bid="filter-search"[^>]*>/.exec(html)?.[0] ?? "";

test("equal searches are rendered once, whatever their spaces and unknown parameters", async ({
  shop,
}) => {
  await shop.forgetCaches();
  const queries = [
    "search=tasse+bleue&type=physical",
    "search=tasse+bleue&type=physical",
    "type=physical&search=++tasse%20%20bleue%0A",
    "search=tasse%C2%A0bleue&type=physical&min_price=&utm_source=lettre",
  ];
  const rendered: boolean[] = [];
  for (const query of queries) rendered.push((await search(shop.baseURL, query)).isRendered);
  expect(rendered).toEqual([true, false, false, false]);
  const { headers } = await request(`${shop.baseURL}/products?${queries[0]}`, { headers: GZIP });
  expect(headers["content-encoding"]).toBe("gzip");
  expect(headers["cache-control"]).toBe("s-maxage=60");
});

test("a search never shows the words of another", async ({ shop }) => {
  const texts = [
    ...["thé", "the", "THÉ", "the?", "the&type=digital", "the/page/2", "/../the", "."],
    ...["..", "%41", "A", "%", "50 %", "page/1", "<b>", '"the"', "日本", "😀", "c++", "c--"],
  ];
  for (let round = 0; round < 3; round++)
    for (const text of texts) {
      const { html } = await search(shop.baseURL, `search=${encodeURIComponent(text)}`);
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

test("a product that staff add, rename or delete is in the next answer to a search", async ({
  shop,
  database: db,
}) => {
  const { token } = await newAdmin(db);
  const { id: categoryId } = await createCategory({ db });
  const find = async (words: string) => {
    const url = `${shop.baseURL}/products?search=${encodeURIComponent(words)}`;
    // The page is rendered, then stored, then sent without Next.js.
    let html = "";
    for (let round = 0; round < 3; round++) html = String((await request(url)).body);
    return /href="\/product\/\d+/.test(html) ? html : null;
  };
  expect(await find("Zorglub moiré")).toBeNull();
  const json = {
    name: "Zorglub moiré",
    description: "Un objet.",
    price: 12,
    defaultCategory: categoryId,
  };
  const added = await shop.api.post<{ id: number }>("/api/physical_products", { token, json });
  expect(added.status, added.text).toBe(201);
  expect(await find("Zorglub moiré")).toContain("Zorglub moiré");
  expect(await find("ZORGLUB moire")).toContain("Zorglub moiré");

  const path = `/api/physical_products/${added.json.id}`;
  const renamed = await shop.api.put(path, { token, json: { name: "Gaston mat" } });
  expect(renamed.status, renamed.text).toBe(200);
  expect(await find("Zorglub moiré")).toBeNull();
  expect(await find("gaston MAT")).toContain("Gaston mat");
  expect((await shop.api.delete(`/api/products/${added.json.id}`, { token })).status).toBe(204);
  expect(await find("gaston MAT")).toBeNull();
});

test("searches that share a stored page are equal to the database, too", async ({
  database: db,
}) => {
  const texts = [
    ...["Théière", "THÉIÈRE", "the\u0301ie\u0300re", "Œuvre", "Straße", "Ærø", "İstanbul", "Ễ"],
    ...[
      "Ångström",
      "l’été, c’est beau\u202f!",
      "мой",
      "Ёлка",
      "ά",
      "हिन्दी",
      "日本",
      "C++",
      "naïveté",
    ],
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
