import { expect, test } from "@playwright/test";
import { changesBetween } from "@/lib/audit/rules";

test("only different values are changes, whatever the order of the keys; lists also differ by order", () => {
  const before = { id: 1, name: "A", tags: [{ id: 1, name: "x" }], list: [1, 2], version: 1 };
  const after = { version: 2, name: "B", list: [2, 1], tags: [{ name: "x", id: 1 }], id: 1 };
  expect(changesBetween({ before, after })).toEqual([
    { field: "name", before: "A", after: "B" },
    { field: "list", before: [1, 2], after: [2, 1] },
  ]);
});

test("all fields of a new or deleted object are changes, except empty ones", () => {
  const object = { id: 3, name: "A", image: null };
  expect(changesBetween({ before: null, after: object })).toEqual([
    { field: "id", before: null, after: 3 },
    { field: "name", before: null, after: "A" },
  ]);
  expect(changesBetween({ before: object, after: null })).toEqual([
    { field: "id", before: 3, after: null },
    { field: "name", before: "A", after: null },
  ]);
});
