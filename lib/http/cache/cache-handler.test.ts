import { gunzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import CacheHandler, { expireTags, readDocument, setBeforeStore } from "@/cache-handler.mjs";

// What instances share is tried with Redis in e2e/api/instances.spec.ts.

const HTML = `<p>${"Une page. ".repeat(500)}</p>`;
const page = (tags = "") => ({
  kind: "APP_PAGE",
  html: HTML,
  rscData: Buffer.from("0:{}\n"),
  segmentData: new Map([["/_tree", Buffer.from("1:{}")]]),
  headers: { "x-next-cache-tags": tags, "x-page-key": "/a 1" },
  status: 200,
});
const context = { cacheControl: { revalidate: 300 } };

test.beforeEach(() => setBeforeStore(() => true));

test("a page is read as it was stored, and sent compressed without Next.js", async () => {
  await new CacheHandler().set("/a", page(), context);
  const entry = await new CacheHandler().get("/a");
  expect(entry?.value).toEqual(page());
  expect(gunzipSync(readDocument("/a 1") ?? "").toString()).toBe(HTML);
  // Another rendering of the page, whose headers are others.
  expect(readDocument("/a 2")).toBeNull();
  expect(await new CacheHandler().get("/b")).toBeNull();
  await new CacheHandler().set("/a", null);
  expect(readDocument("/a 1")).toBeNull();
});

test("what is changed before a page is stored reaches its first visitor, too", async () => {
  setBeforeStore(({ value }) => {
    value.html = "<p>complétée</p>";
    return true;
  });
  const first = page();
  await new CacheHandler().set("/c", first, context);
  expect(first.html).toBe("<p>complétée</p>");
  setBeforeStore(() => false);
  await new CacheHandler().set("/c", page(), context);
  expect(await new CacheHandler().get("/c")).toBeNull();
});

test("an entry expires with each of its tags, and when it was read before the change", async () => {
  const handler = new CacheHandler();
  for (const key of ["/d", "/e"]) await handler.get(key);
  await handler.set("/d", page("product:1,catalogue"), context);
  await expireTags(["product:2"]);
  expect(await handler.get("/d")).not.toBeNull();
  await expireTags(["product:1"]);
  expect(await handler.get("/d")).toBeNull();
  // Its rendering began before the change.
  await handler.set("/e", page("product:1"), context);
  expect(await handler.get("/e")).toBeNull();
  await new CacheHandler().set("/e", page("product:1"), context);
  expect(await handler.get("/e")).not.toBeNull();
});

test("a value of a page's data has the tags that it is stored with", async () => {
  const value = { kind: "FETCH", data: { body: "[]" }, revalidate: 300 };
  await new CacheHandler().set("data", value, { tags: ["seller"] });
  expect((await new CacheHandler().get("data"))?.value).toEqual(value);
  await expireTags(["seller"]);
  expect(await new CacheHandler().get("data")).toBeNull();
});

test("a change of very many products at once expires all pages", async () => {
  await new CacheHandler().set("/f", page("product:3"), context);
  await expireTags(Array.from({ length: 60_000 }, (_, id) => `product:${id + 1_000}`));
  expect(await new CacheHandler().get("/f")).toBeNull();
  await new CacheHandler().set("/f", page("product:3"), context);
  expect(await new CacheHandler().get("/f")).not.toBeNull();
});
