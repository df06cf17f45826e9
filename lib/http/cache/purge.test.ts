import { expect, test } from "@playwright/test";
import { EVERY_PAGE } from "@/lib/http/cache/cache-tags";
import { PurgedCache } from "@/lib/http/cache/purge";

/** A cache that fails as often as told, and notes what it was sent. */
function fakeCache({ failures = 0 }: { failures?: number } = {}) {
  const sent: string[][] = [];
  let left = failures;
  const cache = new PurgedCache("a-cache", async (tags) => {
    sent.push([...tags]);
    if (left-- > 0) throw new Error("away");
  });
  return { cache, sent };
}

test("tags that arrive during a request are sent together in the next one", async () => {
  const { cache, sent } = fakeCache();
  await Promise.all([cache.purge(["a"]), cache.purge(["b", "c"]), cache.purge(["b"])]);
  expect(sent).toEqual([["a"], ["b", "c"]]);
});

test("tags of a failed request are sent again until the cache accepts them", async () => {
  const { cache, sent } = fakeCache({ failures: 2 });
  const told = cache.purge(["a"]);
  await expect.poll(() => cache.isUnreachable).toBe(true);
  await Promise.all([told, cache.purge(["b"])]);
  expect(cache.isUnreachable).toBe(false);
  expect(new Set(sent.slice(2).flat())).toEqual(new Set(["a", "b"]));
});

test("many tags are sent in parts, and too many purge all pages", async () => {
  const tags = (count: number) => Array.from({ length: count }, (_, i) => `product:${i}`);
  const some = fakeCache();
  await some.cache.purge(tags(250));
  expect(some.sent.map((part) => part.length)).toEqual([100, 100, 50]);
  const many = fakeCache();
  await many.cache.purge(tags(5_000));
  expect(many.sent).toEqual([[EVERY_PAGE]]);
});
