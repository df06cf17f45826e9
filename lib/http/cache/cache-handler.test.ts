import { expect, test } from "@playwright/test";
import CacheHandler from "@/lib/http/cache/cache-handler";
import type { SharedEntry } from "@/lib/http/cache/shared-cache";
import { sharedCache } from "@/lib/http/cache/shared-cache-of-process";
import { type Entry, cacheStore as store } from "@/lib/http/cache/store";
import type { RenderedPage, StoredPage } from "@/lib/http/cache/stored-values";

// What instances share is tried with Redis in e2e/api/instances.spec.ts; here is what they hand over.

const kept: { key: string; entry: { value: unknown } }[] = [];
let found: SharedEntry | null = null;

test.beforeEach(() => {
  kept.length = 0;
  found = null;
  sharedCache.current = {
    mark: { epoch: "a", seq: 1 },
    keep: async (entry) => void kept.push(entry),
    find: async () => found,
    expire: async () => undefined,
  };
});
test.afterEach(() => {
  sharedCache.current = undefined;
});

const page = (url: string): RenderedPage => ({
  kind: "APP_PAGE",
  html: `<p>${"Une page. ".repeat(500)}</p>`,
  rscData: Buffer.from(`0:{"P":null,"c":${JSON.stringify(url.split("/"))},"q":"","i":false}\n`),
  headers: {},
  status: 200,
});

function pageOf(entry: Entry | null): StoredPage {
  if (entry?.value.kind !== "APP_PAGE" || !("document" in entry.value))
    throw new Error("It is no stored page.");
  return entry.value;
}

const context = { cacheControl: { revalidate: 300 } };

test("a page rendered here is shared once, and not again when Next.js stores it again", async () => {
  const key = "/site/fr/product/1";
  await new CacheHandler({}).set(key, page("/product/1"), context);
  expect(kept).toHaveLength(1);
  // As Next.js does where the page could not be made anew.
  const handler = new CacheHandler({});
  const entry = await handler.get(key);
  await handler.set(key, entry?.value ?? null, context);
  expect(kept).toHaveLength(1);
  const again = await new CacheHandler({}).get(key);
  const [html] = await pageOf(again).html.toArray();
  expect(String(html)).toContain("Une page.");
});

test("a page whose URL does not match its key is neither stored nor shared", async () => {
  const key = "/site/fr/product/4";
  for (const url of ["/product/4?email=a", "/product/5"])
    await new CacheHandler({}).set(key, page(url), context);
  expect(kept).toEqual([]);
  expect(await new CacheHandler({}).get(key)).toBeNull();
});

test("an entry of another instance that cannot be restored counts as missing", async () => {
  const entry = { lastModified: Date.now(), tags: [], ...context };
  found = { ...entry, value: { ...page("/product/2"), html: undefined as never } };
  expect(await new CacheHandler({}).get("/site/fr/product/2")).toBeNull();
  found = { ...entry, value: page("/product/2") };
  const restored = await new CacheHandler({}).get("/site/fr/product/2");
  expect(pageOf(restored).status).toBe(200);
});

test("a change of very many products at once expires all pages", async () => {
  const key = "/site/fr/product/3";
  const isStored = async () => Boolean(store.get(key));
  const keep = () =>
    new CacheHandler({}).set(key, {
      ...page("/product/3"),
      headers: { "x-next-cache-tags": "product:3" },
    });
  await keep();
  store.expireTags(["product:4"]);
  expect(await isStored()).toBe(true);
  store.expireTags(Array.from({ length: 60_000 }, (_, id) => `product:${id + 1_000}`));
  expect(store.expiredAt.size).toBe(0);
  // Nobody remembers any more that it was not among them.
  expect(await isStored()).toBe(false);
  await keep();
  expect(await isStored()).toBe(true);
});
