import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { eq, sql } from "drizzle-orm";
import sharp from "sharp";
import { createCategory, createProduct } from "@/db/factories/catalogue";
import { products } from "@/db/schema/catalogue";
import { expect, type Shop, test } from "../fixtures";

const INDEXED = "index, follow, max-image-preview:large";

/** The URLs in `<loc>` elements. */
const locations = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => loc ?? "");

/** The values of an attribute, of every element that contains all these texts. */
function attributes({ html, element, name }: { html: string; element: string[]; name: string }) {
  const tags = [...html.matchAll(/<(?:meta|link)\b[^>]*>/g)].map(([tag]) => tag);
  return tags
    .filter((tag) => element.every((part) => tag.includes(part)))
    .map((tag) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
}

const meta = (html: string, name: string) =>
  attributes({ html, element: [`="${name}"`], name: "content" });
const canonical = (html: string) =>
  attributes({ html, element: ['rel="canonical"'], name: "href" });
const titles = (html: string) =>
  [...html.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title);

/** The structured data of a page by its type. */
function structuredData(html: string): Record<string, Record<string, unknown>> {
  const scripts = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  const data = [...scripts].map(([, text]) => JSON.parse(text ?? "") as Record<string, unknown>);
  return Object.fromEntries(data.map((item) => [String(item["@type"]), item]));
}

test("robots.txt, sitemap and feed name the site's absolute URLs", async ({ shopWith }) => {
  const shop = await shopWith({ env: { SITE_URL: "https://boutique.exemple.fr" } });
  await test.step("robots.txt disallows private pages, and views without number", () =>
    expectRobots(shop));
  await test.step("the sitemap contains every page and product once, however sparse their ids", () =>
    expectSitemap(shop));
  await test.step("feed and sitemap have every product on sale, with all its pictures", () =>
    expectFeed(shop));
});

async function expectRobots({ api }: Shop) {
  const robots = await api.get("/robots.txt");
  expect(robots.status).toBe(200);
  expect(robots.headers["content-type"]).toContain("text/plain");
  const lines = robots.text.split("\n");
  for (const closed of ["/api/", "/backoffice", "/account", "/cart", "/checkout", "/login"])
    expect(lines).toContain(`Disallow: ${closed}`);
  for (const open of ["/", "/products", "/product", "/images", "/og"])
    expect(lines).not.toContain(`Disallow: ${open}`);
  for (const parameter of ["search=", "tags%5B", "min_rating=", "availability=", "characteristics"])
    expect(lines).toContain(`Disallow: /products?*${parameter}`);
  expect(lines).toContain("Sitemap: https://boutique.exemple.fr/sitemap.xml");
}

async function expectSitemap({ api, baseURL, database }: Shop) {
  await createProduct({ db: database, id: 25_000 });
  await createProduct({ db: database, id: 25_001 });
  await createProduct({
    db: database,
    id: 2_147_483_647,
    updatedAt: new Date("2026-02-03T04:05:06Z"),
  });

  const index = await api.get("/sitemap.xml");
  expect(index.status).toBe(200);
  expect(index.headers["content-type"]).toContain("application/xml");
  expect(index.text).toContain("<sitemapindex ");
  const parts = locations(index.text);
  expect(parts).toHaveLength(4);

  const found: string[] = [];
  let text = "";
  for (const part of parts) {
    expect(part).toMatch(/^https:\/\/boutique\.exemple\.fr\/sitemap\.xml\?part=\w+$/);
    const answer = await api.get(part.replace("https://boutique.exemple.fr", ""));
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset .*<\/urlset>\n$/s,
    );
    found.push(...locations(answer.text));
    text += answer.text;
  }
  const ids = (await database.select({ id: products.id }).from(products)).map(({ id }) => id);
  const categories = await database.execute<{ id: number }>(sql`select id from categories`);
  const expected = [
    "/",
    "/products",
    "/contact",
    "/livraison-et-retours",
    "/mentions-legales",
    "/conditions-generales-de-vente",
    ...categories.map(({ id }) => `/products?category=${id}`),
    ...ids.map((id) => `/product/${id}`),
  ].map((path) => `https://boutique.exemple.fr${path}`);
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(text).toContain(
    "<loc>https://boutique.exemple.fr/product/2147483647</loc><lastmod>2026-02-03T04:05:06Z</lastmod>",
  );

  const page = await fetch(baseURL + new URL(found[4] ?? "").pathname);
  expect(page.status).toBe(200);

  await database.delete(products).where(eq(products.id, 25_001));
  expect(locations((await api.get("/sitemap.xml")).text)).toHaveLength(3);
}

async function expectFeed({ api, baseURL, database: db, forgetCaches }: Shop) {
  const { id } = await createProduct({
    db,
    name: "Vase <grès> & lin",
    description: "Ligne 1\n\u0007Ligne 2",
    priceCents: 1250,
    image: "vase.webp",
    moreImages: [{ url: "https://cdn.exemple.fr/b.jpg?a=1&b=2", alt: "" }],
    gtin: "4006381333931",
    brand: "Terre & Cie",
    stock: 0,
    weight: 400,
  });
  await createProduct({ db, name: "Pas encore", status: "draft" });
  await forgetCaches();
  const feed = await api.get("/feed.xml");
  expect(feed.status).toBe(200);
  expect(feed.headers["content-type"]).toContain("application/rss+xml");
  expect(feed.text).toMatch(/^<\?xml [^>]+>\n<rss [^>]+>\n<channel>.*<\/channel>\n<\/rss>\n$/s);
  const items = [...feed.text.matchAll(/<item>\n(.*?)<\/item>/gs)].map(([, item]) => item ?? "");
  const onSale = await db.$count(products, eq(products.status, "active"));
  expect(items).toHaveLength(onSale);
  const item = items.find((each) => each.includes(`<g:id>${id}</g:id>`)) ?? "";
  for (const line of [
    "<title>Vase &lt;grès&gt; &amp; lin</title>",
    "<description>Ligne 1\nLigne 2</description>",
    `<link>https://boutique.exemple.fr/product/${id}</link>`,
    "<g:image_link>https://boutique.exemple.fr/images/vase.webp</g:image_link>",
    "<g:additional_image_link>https://cdn.exemple.fr/b.jpg?a=1&amp;b=2</g:additional_image_link>",
    "<g:availability>out_of_stock</g:availability>",
    "<g:price>12.50 EUR</g:price>",
    "<g:brand>Terre &amp; Cie</g:brand>",
    "<g:gtin>4006381333931</g:gtin>",
    "<g:shipping_weight>400 g</g:shipping_weight>",
  ])
    expect(item).toContain(line);
  const head = await fetch(`${baseURL}/feed.xml`, { method: "HEAD" });
  expect(head.status).toBe(200);

  const sitemap = await api.get("/sitemap.xml?part=1");
  expect(sitemap.text).toContain(
    "<image:image><image:loc>https://boutique.exemple.fr/images/vase.webp</image:loc></image:image><image:image><image:loc>https://cdn.exemple.fr/b.jpg?a=1&amp;b=2</image:loc></image:image>",
  );
}

test("a network reads the feed 20 times an hour", async ({ limited }) => {
  const read = () => limited.api.get("/feed.xml");
  for (let n = 0; n < 20; n++) expect((await read()).status).toBe(200);
  const { status, headers } = await read();
  expect(status).toBe(429);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
});

test("an address that does not exist is 404", async ({ api }) => {
  const queries = ["page=0", "page=abc", "category=abc", "category=999999", "tags.id=999999"];
  queries.push("type=other", "min_price=abc", "price_sort=up");
  for (const path of [
    ...["/rien", "/products/7", "/product", "/fr"],
    ...["0", "-1", "1.5", "abc", "99999999999"].map((id) => `/product/${id}`),
    ...queries.map((query) => `/products?${query}`),
  ])
    expect((await api.get(path)).status, path).toBe(404);
  // A complete page, without JavaScript, too.
  const { text } = await api.get("/rien");
  expect(titles(text)).toEqual(["Page introuvable - Mini Ecommerce"]);
  expect(text).toMatch(/<h1[^>]*>Page introuvable</);
  expect(text).toMatch(/<a [^>]*href="\/products"[^>]*>Parcourir le catalogue</);

  for (const [path, detail] of [
    ...["", "0", "abc", "1.5", "2147483647", "99999999999999999999", "%00"].map((part) => [
      `/sitemap.xml?part=${part}`,
      "Cette partie du plan du site n'existe pas.",
    ]),
    ...["0", "abc", "2147483646", "99999999999", "7%00"].map((id) => [
      `/og/product/${id}`,
      "Ce produit n'existe pas.",
    ]),
  ] as [string, string][]) {
    const answer = await api.get(path);
    expect(answer.status, path).toBe(404);
    expect(answer.json, path).toMatchObject({ detail });
  }
});

test("every page has metadata for search engines and social networks", async ({ api, shop }) => {
  for (const [path, title] of [
    ["/", "Accueil"],
    ["/products?page=2", "Nos produits - page 2"],
  ] as const) {
    const { text: html } = await api.get(path);
    expect(titles(html)).toEqual([`${title} - Mini Ecommerce`]);
    expect(meta(html, "description")).toEqual([expect.stringMatching(/.{50}/)]);
    expect(meta(html, "keywords")).toHaveLength(1);
    // Next.js omits the slash of the home page.
    expect(canonical(html)).toEqual([(shop.baseURL + path).replace(/\/$/, "")]);
    for (const [name, content] of [
      ["og:title", title],
      ["og:locale", "fr_FR"],
      ["og:site_name", "Mini Ecommerce"],
      ["og:image", `${shop.baseURL}/og/site`],
      ["og:image:width", "1200"],
      ["twitter:card", "summary_large_image"],
      ["robots", INDEXED],
    ] as const)
      expect(meta(html, name), name).toEqual([content]);
  }
  const home = structuredData((await api.get("/")).text);
  expect(home.WebSite).toBeDefined();
  expect(home.OnlineStore).toMatchObject({ name: "Mini Ecommerce", url: `${shop.baseURL}/` });
});

test("searches, combinations and further filters are noindex", async ({ api, shop }) => {
  for (const path of [
    "/products?search=livre",
    "/products?category=2&type=physical",
    "/products?category=2&tags.id=3",
    "/products?tags%5B%5D=1&tags%5B%5D=2",
    "/products?characteristics%5BMati%C3%A8re%5D%5B%5D=Osier+blanc",
  ]) {
    const { text: html, status } = await api.get(path);
    expect(status, path).toBe(200);
    expect(meta(html, "robots"), path).toEqual(["noindex, follow"]);
    expect(canonical(html), path).toEqual([`${shop.baseURL}${path}`.replaceAll("&", "&amp;")]);
  }
  for (const path of ["/products?category=2", "/products?tags.id=3", "/products?type=physical"])
    expect(meta((await api.get(path)).text, "robots"), path).toEqual([INDEXED]);
  // Filters that filter nothing, in any order, are the plain list.
  const { text: html } = await api.get("/products?availability=&tags[]=&utm_source=x");
  expect(canonical(html)).toEqual([`${shop.baseURL}/products`]);
});

test("a category's page has the category's name", async ({ api, shop, arrange }) => {
  const category = await arrange(async (db) => {
    const category = await createCategory({ db, name: "Arts & métiers" });
    await createProduct({ db, defaultCategoryId: category.id });
    return category;
  });
  const { text: html } = await api.get(`/products?category=${category.id}`);
  expect(titles(html)).toEqual(["Nos produits - Arts &amp; métiers - Mini Ecommerce"]);
  expect(canonical(html)).toEqual([`${shop.baseURL}/products?category=${category.id}`]);
  expect(structuredData(html).BreadcrumbList).toBeDefined();
});

test("a product's structured data has its price; no text of it is a script or an element", async ({
  api,
  shop,
  arrange,
}) => {
  const name = `</script><script>alert("1")</script><img src=x onerror="alert(2)"><!--`;
  const product = await arrange((db) =>
    createProduct({
      db,
      name,
      description: `Un objet. ${name} ${"Il est beau, et bien fait. ".repeat(20)}`,
      characteristics: [{ name, value: name }],
      priceCents: 4290,
    }),
  );
  const path = `/product/${product.id}`;
  const list = `/products?category=${product.defaultCategoryId}`;
  for (const page of [path, list, `/products?search=${encodeURIComponent(name)}`]) {
    const { text } = await api.get(page);
    expect(text, page).toContain("alert(");
    expect(text, page).not.toMatch(/<script>alert|<img src=x/);
  }
  const { text: html } = await api.get(`${path}?category=${product.defaultCategoryId}`);
  expect(canonical(html)).toEqual([shop.baseURL + path]);
  expect(meta(html, "description")).toEqual([expect.stringMatching(/^Un objet\. .*…$/)]);
  const data = structuredData(html);
  expect(data.Product).toMatchObject({
    name,
    offers: { price: "42.90", url: shop.baseURL + path },
  });
  const crumbs = data.BreadcrumbList?.itemListElement as { name: string }[];
  expect(crumbs.at(-1)?.name).toBe(name);
});

test("a product has a share picture, which is cached", async ({ api, shop, arrange }) => {
  const product = await arrange((db) => createProduct({ db, name: "Théière" }));
  const [picture = ""] = meta((await api.get(`/product/${product.id}`)).text, "og:image");
  expect(picture).toMatch(new RegExp(`^${shop.baseURL}/og/product/${product.id}\\?v=[\\w-]+$`));

  const answer = await fetch(picture);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("image/jpeg");
  expect(answer.headers.get("cache-control")).toContain("public, max-age=86400");
  const first = Buffer.from(await answer.arrayBuffer());
  expect(await sharp(first).metadata()).toMatchObject({ format: "jpeg", width: 1200, height: 630 });
  expect(answer.headers.get("content-length")).toBe(String(first.length));

  const etag = answer.headers.get("etag") ?? "";
  const again = await fetch(picture, { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);

  await arrange((db) =>
    db.update(products).set({ priceCents: 1 }).where(eq(products.id, product.id)),
  );
  const changed = await fetch(picture, { headers: { "If-None-Match": etag } });
  expect(changed.status).toBe(200);
  expect(first.equals(Buffer.from(await changed.arrayBuffer()))).toBe(false);
  const [newPicture = ""] = meta((await api.get(`/product/${product.id}`)).text, "og:image");
  expect(newPicture).not.toBe(picture);

  const site = await fetch(`${shop.baseURL}/og/site`);
  expect(site.headers.get("content-type")).toBe("image/jpeg");
});

test("concurrent requests for one share picture render it once", async ({ shop, arrange }) => {
  const product = await arrange((db) => createProduct({ db }));
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => fetch(`${shop.baseURL}/og/product/${product.id}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const sizes = await Promise.all(answers.map(async (one) => (await one.arrayBuffer()).byteLength));
  expect(new Set(sizes).size).toBe(1);
});

test("only uploaded pictures are served below /images", async ({ api, shop }) => {
  const uploads = String(shop.env.UPLOADS_DIR);
  await copyFile("public/icons/icon-192.png", path.join(uploads, "téléversée 1.png"));
  await writeFile(path.join(uploads, "page.html"), "<script>alert(1)</script>");
  await writeFile(path.join(path.dirname(uploads), "secret.png"), "secret");

  const url = `${shop.baseURL}/images/${encodeURIComponent("téléversée 1.png")}`;
  const picture = await fetch(url);
  expect(picture.status).toBe(200);
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });

  const unserved = ["page.html", "nothing.png", "..%2fsecret.png", "%2e%2e%2fsecret.png"];
  for (const file of [...unserved, "a%00.png"]) {
    const answer = await api.get(`/images/${file}`);
    expect(answer.status, file).toBe(404);
    expect(answer.json, file).toMatchObject({ detail: "Image introuvable." });
  }
  // The server resolves these paths before it looks for a page.
  for (const file of ["../secret.png", "%2e%2e/secret.png", "%E0%A4%A.png"])
    expect((await api.get(`/images/${file}`)).status, file).toBe(404);
});

test("manifest and icons exist", async ({ api }) => {
  const { text: html } = await api.get("/");
  const [manifestPath = ""] = attributes({ html, element: ['rel="manifest"'], name: "href" });
  const manifest = await api.get<{ lang: string; icons: { src: string }[] }>(manifestPath);
  expect(manifest.headers["content-type"]).toContain("application/manifest+json");
  expect(manifest.json.lang).toBe("fr");
  const icons = [
    "/favicon.ico",
    ...attributes({ html, element: ['rel="icon"'], name: "href" }),
    ...attributes({ html, element: ['rel="apple-touch-icon"'], name: "href" }),
    ...manifest.json.icons.map(({ src }) => src),
  ];
  expect(icons.length).toBeGreaterThanOrEqual(8);
  for (const icon of icons) {
    const answer = await api.get(icon);
    expect(answer.status, icon).toBe(200);
    expect(answer.headers["content-type"], icon).toMatch(/^image\//);
  }
});
