import { expect, test } from "@playwright/test";
import {
  documentNumberIn,
  formatDocumentNumber,
  yearInFrance,
} from "@/lib/orders/document-numbers";

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

test("a document's number is known however it was typed", () => {
  for (const text of ["FA-2026-000012", "fa 2026 12", " FA2026000012 ", "fa-2026-0012"])
    expect(documentNumberIn(text), text).toBe("FA-2026-000012");
  expect(documentNumberIn("cmd-2026-1234567")).toBe("CMD-2026-1234567");
  expect(documentNumberIn("AV-2026-000001")).toBe("AV-2026-000001");
  for (const text of ["2026-000012", "FA-26-000012", "FA", "XX-2026-000012", "FA-2026-000012 lyon"])
    expect(documentNumberIn(text), text).toBeNull();
});
