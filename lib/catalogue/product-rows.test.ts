import { expect, test } from "@playwright/test";
import { pageBeyondEnd } from "./product-rows";

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

test("an estimate is not believed where it says that a page does not exist", async () => {
  expect(await beyond({ offset: 150, total: 200 })).toBe(null);
  expect(await beyond({ offset: 210, total: 200, all: 240 })).toBe(null);
  expect(await beyond({ offset: 240, total: 200, all: 240 })).toEqual({
    items: [],
    total: 240,
    hasNext: false,
  });
});
