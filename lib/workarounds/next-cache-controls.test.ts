import { expect, test } from "@playwright/test";
import CacheHandler from "@/lib/http/cache/cache-handler";
import { nextCacheControlsMap } from "@/lib/workarounds/next-cache-controls";

test("Next.js still has a map without a bound: else this workaround can go", () => {
  expect(nextCacheControlsMap()).toBeInstanceOf(Map);
});

test("what Next.js remembers of every address that was ever stored does not grow without end", async () => {
  const cacheControls = nextCacheControlsMap();
  for (let id = 0; id < 20_000; id++) {
    cacheControls?.set(`/site/fr/product/${id}`, { revalidate: 300 });
    if (id % 100 === 0) await new CacheHandler({}).set(`datum ${id}`, null);
  }
  expect(cacheControls?.size).toBeLessThan(11_000);
});
