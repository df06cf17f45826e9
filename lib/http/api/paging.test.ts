import { expect, test } from "@playwright/test";
import { countedPage, pageBeyondEnd } from "./paging";

const beyond = ({ offset, total, all = -1 }: { offset: number; total: number; all?: number }) => {
  const countAll = async () => {
    if (all < 0) throw new Error("counted for nothing");
    return all;
  };
  return pageBeyondEnd({ offset, total, maxCounted: 100, countAll });
};

test("a page beyond the end of a counted list is empty, and the last one is read", async () => {
  expect(await beyond({ offset: 30, total: 31 })).toBe(null);
  expect(await beyond({ offset: 30, total: 30 })).toEqual({ items: [], total: 30, hasNext: false });
  expect(await beyond({ offset: 10 ** 9, total: 0 })).toMatchObject({ items: [], total: 0 });
});

test("an estimate that puts a page beyond the end is checked by counting", async () => {
  expect(await beyond({ offset: 150, total: 200 })).toBe(null);
  expect(await beyond({ offset: 210, total: 200, all: 240 })).toBe(null);
  expect(await beyond({ offset: 240, total: 200, all: 240 })).toEqual({
    items: [],
    total: 240,
    hasNext: false,
  });
});

test("a counted list is counted once a page, and not read beyond its end", async () => {
  const asked: string[] = [];
  const page = (page: number) =>
    countedPage({
      request: { page, itemsPerPage: 2 },
      count: async () => {
        asked.push("count");
        return 3;
      },
      read: async ({ limit, offset }) => {
        asked.push("read");
        return ["a", "b", "c"].slice(offset, offset + limit);
      },
    });
  expect(await page(1)).toEqual({ items: ["a", "b"], total: 3 });
  expect(await page(2)).toEqual({ items: ["c"], total: 3 });
  expect(asked.splice(0).sort()).toEqual(["count", "count", "read", "read"]);
  expect(await page(3)).toEqual({ items: [], total: 3 });
  expect(asked).toEqual(["count"]);
});
