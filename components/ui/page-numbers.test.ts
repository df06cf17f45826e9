import { expect, test } from "@playwright/test";
import { pageNumbers } from "@/components/ui/page-numbers";

test("up to seven pages are all listed", () => {
  expect(pageNumbers(1, 1)).toEqual([1]);
  expect(pageNumbers(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("many pages are shortened around the current one", () => {
  expect(pageNumbers(1, 20)).toEqual([1, 2, 3, 4, 5, -2, 20]);
  expect(pageNumbers(4, 20)).toEqual([1, 2, 3, 4, 5, -2, 20]);
  expect(pageNumbers(5, 20)).toEqual([1, -1, 4, 5, 6, -2, 20]);
  expect(pageNumbers(17, 20)).toEqual([1, -1, 16, 17, 18, 19, 20]);
  expect(pageNumbers(20, 20)).toEqual([1, -1, 16, 17, 18, 19, 20]);
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
