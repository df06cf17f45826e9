import { expect, test } from "@playwright/test";
import { parseRange } from "@/lib/downloads/range";

test("a single range of bytes is parsed as HTTP defines it", () => {
  expect(parseRange("bytes=0-9", 100)).toEqual({ start: 0, end: 9 });
  expect(parseRange("bytes=90-", 100)).toEqual({ start: 90, end: 99 });
  expect(parseRange("bytes=-10", 100)).toEqual({ start: 90, end: 99 });
  expect(parseRange("bytes=-1000", 100)).toEqual({ start: 0, end: 99 });
  expect(parseRange("bytes=90-1000", 100)).toEqual({ start: 90, end: 99 });
});

test("a range beyond the file is unsatisfiable; an invalid one gives the whole file", () => {
  expect(parseRange("bytes=100-", 100)).toBe("unsatisfiable");
  expect(parseRange("bytes=-0", 100)).toBe("unsatisfiable");
  expect(parseRange("bytes=0-", 0)).toBe("unsatisfiable");
  for (const whole of [null, "", "bytes=-", "bytes=5-2", "bytes=0-1,4-5", "items=0-1", "bytes=a-b"])
    expect(parseRange(whole, 100), String(whole)).toBeNull();
});
