import { expect, test } from "@playwright/test";
import nextLives from "next/dist/server/lib/incremental-cache/shared-cache-controls.external.js";
import CacheHandler, { store } from "@/cache-handler.mjs";

// What instances share is tried with Redis in e2e/api/instances.spec.ts; here is what they hand over.

const SHARED = Symbol.for("mini-ecommerce.shared-cache");
const shared = globalThis as { [SHARED]?: unknown };

const kept: { key: string; entry: { value: unknown } }[] = [];
let found: unknown = null;

test.beforeEach(() => {
  kept.length = 0;
  found = null;
  shared[SHARED] = {
    mark: { epoch: "a", seq: 1 },
    keep: (entry: (typeof kept)[number]) => kept.push(entry),
    find: async () => found,
  };
});
test.afterEach(() => {
  delete shared[SHARED];
});

const page = () => ({
  kind: "APP_PAGE",
  html: `<p>${"Une page. ".repeat(500)}</p>`,
  rscData: Buffer.from("data"),
  headers: {},
  status: 200,
});

const context = { cacheControl: { revalidate: 300 } };

test("what was made here is handed over once, and not again as it is kept here", async () => {
  const key = "/site/fr/product/1";
  await new CacheHandler({}).set(key, page(), context);
  expect(kept).toHaveLength(1);
  // As Next.js does where the page could not be made anew.
  const handler = new CacheHandler({});
  const entry = await handler.get(key);
  await handler.set(key, entry?.value, context);
  expect(kept).toHaveLength(1);
  const again = await new CacheHandler({}).get(key);
  const [html] = (await again?.value.html.toArray()) ?? [];
  expect(String(html)).toContain("Une page.");
});

test("an entry of another instance that cannot be restored counts as none", async () => {
  const entry = { lastModified: Date.now(), tags: [], ...context };
  found = { ...entry, value: { ...page(), html: undefined } };
  expect(await new CacheHandler({}).get("/site/fr/product/2")).toBeNull();
  found = { ...entry, value: page() };
  expect((await new CacheHandler({}).get("/site/fr/product/2"))?.value.status).toBe(200);
});

test("a change of very many products at once is remembered as one of all", async () => {
  const key = "/site/fr/product/3";
  const isStored = async () => Boolean(store.get(key));
  const keep = () =>
    new CacheHandler({}).set(key, { ...page(), headers: { "x-next-cache-tags": "product:3" } });
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

test("what Next.js remembers of every address that was ever stored does not grow without end", async () => {
  const { cacheControls } = nextLives.SharedCacheControls as unknown as {
    cacheControls: Map<string, unknown>;
  };
  for (let id = 0; id < 20_000; id++) {
    cacheControls.set(`/site/fr/product/${id}`, context.cacheControl);
    if (id % 100 === 0) await new CacheHandler({}).set(`datum ${id}`, null);
  }
  expect(cacheControls.size).toBeLessThan(11_000);
});
