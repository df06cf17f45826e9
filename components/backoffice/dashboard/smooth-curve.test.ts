import { expect, test } from "@playwright/test";
import { smoothSegments } from "./smooth-curve";

test("evenly spaced handles reach 0.15 of the way between a point's neighbours", () => {
  const [, second] = smoothSegments([
    { x: 0, y: 100 },
    { x: 10, y: 50 },
    { x: 20, y: 100 },
    { x: 30, y: 0 },
  ]);
  // The neighbours of the second point are level, so its handles are level, too.
  expect(second?.from).toEqual({ x: 13, y: 50 });
});

test("the curve stays between the highest and the lowest point", () => {
  const points = [100, 100, 0, 100, 100, 40, 0].map((y, index) => ({ x: index * 10, y }));
  for (const { from, to } of smoothSegments(points))
    for (const { y } of [from, to]) {
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(100);
    }
});

test("no points and a single point give no segment, two equal points give one", () => {
  expect(smoothSegments([])).toEqual([]);
  expect(smoothSegments([{ x: 1, y: 1 }])).toEqual([]);
  expect(smoothSegments(Array(2).fill({ x: 1, y: 1 }))).toHaveLength(1);
});
