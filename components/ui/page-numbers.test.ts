import { expect, test } from "@playwright/test";
import { pageNumbers } from "@/components/ui/page-numbers";

test("up to seven pages are all listed, more are shortened around the current one", () => {
  for (const [page, count, numbers] of [
    [1, 1, [1]],
    [3, 7, [1, 2, 3, 4, 5, 6, 7]],
    [1, 20, [1, 2, 3, 4, 5, -2, 20]],
    [4, 20, [1, 2, 3, 4, 5, -2, 20]],
    [5, 20, [1, -1, 4, 5, 6, -2, 20]],
    [17, 20, [1, -1, 16, 17, 18, 19, 20]],
  ] as const)
    expect(pageNumbers(page, count)).toEqual(numbers);
});

test("there are seven distinct entries, with the current page, the first and the last", () => {
  for (let pageCount = 8; pageCount <= 16; pageCount += 1) {
    for (let page = 1; page <= pageCount; page += 1) {
      const numbers = pageNumbers(page, pageCount);
      expect(numbers).toHaveLength(7);
      expect(new Set(numbers).size).toBe(7);
      expect(numbers).toEqual(expect.arrayContaining([1, page, pageCount]));
    }
  }
});
