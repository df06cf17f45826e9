import { expect, test } from "@playwright/test";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { now, Store } from "@/lib/http/cache/store";

const MEBIBYTE = 1024 * 1024;

function keep(store: Store, key: string, tags: readonly string[]): void {
  const data = { headers: {}, body: "x".repeat(MEBIBYTE / 4), url: "" };
  const at = now();
  const value = { kind: "FETCH" as const, data, revalidate: 60 };
  store.set(key, { key, value, lastModified: at, began: at, tags });
}

test("searches evict each other, and no other pages", () => {
  const store = new Store();
  keep(store, "page", [CACHE_TAGS.catalogue]);
  const searches = Array.from({ length: 1_000 }, (_, index) => `search ${index}`);
  for (const key of searches) keep(store, key, [CACHE_TAGS.catalogue, CACHE_TAGS.searches]);
  expect(store.get("page")).not.toBeNull();
  const kept = searches.filter((key) => store.get(key));
  // Half a mebibyte each.
  expect(kept).toEqual(searches.slice(-kept.length));
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.length).toBeLessThan(40);
  store.expireTags([CACHE_TAGS.catalogue]);
  expect([...kept, "page"].filter((key) => store.get(key))).toEqual([]);
});

test("a page may be stored as a search and then as another page", () => {
  const store = new Store();
  for (const tags of [[CACHE_TAGS.searches], [], [CACHE_TAGS.searches]]) {
    keep(store, "page", tags);
    expect(store.get("page")?.tags).toEqual(tags);
  }
});
