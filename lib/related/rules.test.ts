import { expect, test } from "@playwright/test";
import { bestCandidates } from "./rules";

const candidate = (
  id: number,
  values: Partial<Parameters<typeof bestCandidates>[0][number]> = {},
) => ({
  id,
  isSoldOut: false,
  commonTags: 0,
  sales: 0,
  ...values,
});

test("available products come first, then common tags, then sales, then the older product", () => {
  const best = bestCandidates([
    candidate(1, { isSoldOut: true, commonTags: 3, sales: 900 }),
    candidate(2, { sales: 5 }),
    candidate(3, { sales: 50 }),
    candidate(4, { commonTags: 1 }),
  ]);
  expect(best).toEqual([4, 3, 2, 1]);
});

test("four products at most", () => {
  expect(bestCandidates([5, 4, 3, 2, 1].map((id) => candidate(id)))).toEqual([1, 2, 3, 4]);
});
