import { expect, test } from "@playwright/test";
import CacheHandler from "@/cache-handler.mjs";
import { nextCacheControlsMap } from "@/lib/workarounds/next-cache-controls.mjs";

test("Next.js still has a map without a limit: if not, remove the workaround", () => {
  expect(nextCacheControlsMap()).toBeInstanceOf(Map);
});

test("Next.js's cache controls of stored pages do not grow without limit", async () => {
  const cacheControls = nextCacheControlsMap();
  for (let id = 0; id < 20_000; id++) {
    cacheControls?.set(`/site/fr/product/${id}`, { revalidate: 300 });
    if (id % 100 === 0) await new CacheHandler().set(`datum ${id}`, null);
  }
  expect(cacheControls?.size).toBeLessThan(11_000);
});
