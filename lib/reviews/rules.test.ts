import { expect, test } from "@playwright/test";
import {
  authorName,
  cleanContent,
  compareReviews,
  isLongEnough,
  type PublishedReview,
} from "@/lib/reviews/rules";

test("a comment keeps its lines, and loses invisible characters", () => {
  expect(cleanContent("  Bien.  \r\n\r\n\r\n\r\nVraiment.\t\n")).toBe("Bien.\n\nVraiment.");
  expect(cleanContent("A\0B\u0007C\u0085D")).toBe("ABCD");
  expect(cleanContent("Moitié \ud83d de paire")).toBe("Moitié \ufffd de paire");
  expect(cleanContent("نص عربي 👩‍👩‍👧‍👦 日本語")).toBe("نص عربي 👩‍👩‍👧‍👦 日本語");
  expect(cleanContent(" \n\u00a0\t ")).toBe("");
  expect(cleanContent("\u200b".repeat(12))).toBe("");
});

test("a comment needs ten visible characters", () => {
  expect(isLongEnough("Très bien!")).toBe(true);
  expect(isLongEnough("Très bien")).toBe(false);
  expect(isLongEnough("👍".repeat(10))).toBe(true);
  expect(isLongEnough("👍".repeat(9))).toBe(false);
  for (const nothing of ["\u200b", "\u3164", "\u2800"])
    expect(isLongEnough(`Bien${nothing.repeat(20)}`)).toBe(false);
});

test("the family name is shown by its initial", () => {
  expect(authorName({ firstName: "Camille", lastName: "durand" })).toBe("Camille D.");
  expect(authorName({ firstName: "李", lastName: "𠮷田" })).toBe("李 𠮷.");
  expect(authorName({ firstName: "Camille", lastName: " " })).toBe("Camille");
});

test("equal ratings are sorted by date, equal dates by id", () => {
  const review = (id: number, rating: number, publishedAt: string) =>
    ({ id, rating, publishedAt }) as PublishedReview;
  const all = [
    review(1, 5, "2026-01-01T00:00:00.000Z"),
    review(2, 3, "2026-02-01T00:00:00.000Z"),
    review(3, 5, "2026-03-01T00:00:00.000Z"),
    review(4, 3, "2026-02-01T00:00:00.000Z"),
  ];
  const ids = (order: "newest" | "best" | "worst") =>
    all.toSorted(compareReviews(order)).map(({ id }) => id);
  expect(ids("newest")).toEqual([3, 4, 2, 1]);
  expect(ids("best")).toEqual([3, 1, 4, 2]);
  expect(ids("worst")).toEqual([4, 2, 3, 1]);
});
