import { expect, test } from "@playwright/test";
import { formatDocumentNumber, yearInFrance } from "@/lib/orders/numbers";

test("a document's number names its kind, its year and its rank", () => {
  expect(formatDocumentNumber({ kind: "order", year: 2026, number: 1 })).toBe("CMD-2026-000001");
  expect(formatDocumentNumber({ kind: "invoice", year: 2027, number: 1_234_567 })).toBe(
    "FA-2027-1234567",
  );
});

test("the year is that of France", () => {
  expect(yearInFrance(new Date("2026-12-31T22:59:59Z"))).toBe(2026);
  expect(yearInFrance(new Date("2026-12-31T23:00:00Z"))).toBe(2027);
});
