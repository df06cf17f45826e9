import { expect, test } from "@playwright/test";
import { isNotModified } from "@/lib/http/etag";

test("an ETag is matched alone, in a list, weak or strong", () => {
  const etag = '"abc"';
  for (const header of ['"abc"', 'W/"abc"', '"x", W/"abc"', ' "abc" ,"y"', "*"])
    expect(isNotModified({ header, etag }), header).toBe(true);
  expect(isNotModified({ header: '"abc"', etag: 'W/"abc"' })).toBe(true);
  for (const header of [null, "", '"ab"', "abc", '"x","y"'])
    expect(isNotModified({ header, etag }), String(header)).toBe(false);
});
