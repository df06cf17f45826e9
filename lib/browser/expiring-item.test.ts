import { expect, test } from "@playwright/test";
import { freshFields } from "@/lib/browser/expiring-item";

const NOW = 1_800_000_000_000;
const read = (item: unknown) => freshFields(JSON.stringify(item), { lifetime: 1000, now: NOW });

test("fields are readable until their lifetime ends", () => {
  for (const age of [0, 1, 1000]) expect(read({ a: 1, at: NOW - age })).toMatchObject({ a: 1 });
  expect(read({ a: 1, at: NOW - 1001 })).toBeNull();
});

test("a changed or malformed item counts as none", () => {
  for (const item of [null, 7, "at", [], {}, { at: "now" }, { at: null }, { at: NOW + 1 }])
    expect(read(item), JSON.stringify(item)).toBeNull();
  for (const text of ["", "{", "undefined", '{"at":1e999}'])
    expect(freshFields(text, { lifetime: 1000, now: NOW }), text).toBeNull();
});
