import { expect, test } from "@playwright/test";
import { negotiate } from "@/lib/http/api/negotiate";

test("the representation is JSON-LD, unless plain JSON is preferred or listed first", () => {
  for (const [format, ...accepts] of [
    ["ld", "", "*/*", "application/ld+json", "application/*", "*/*, application/json"],
    ["ld", "application/ld+json, application/json", "application/json;q=0, application/*"],
    ["ld", "application/json;q=0.5, application/ld+json"],
    ["ld", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
    ["json", "application/json", "APPLICATION/JSON", "application/json; charset=utf-8"],
    ["json", "application/json, text/plain, */*", "application/json, application/ld+json"],
    ["json", "application/json, application/ld+json;q=0.9", "application/json;q=0.9, */*;q=0.8"],
    ["json", "application/ld+json;q=0, */*"],
    [null, "text/html", "application/problem+json", "application/json;q=0", "*/*;q=0"],
    [null, "nonsense", "application/json;q=2"],
  ] as const)
    for (const accept of accepts) expect(negotiate(accept), accept).toBe(format);
  expect(negotiate(null)).toBe("ld");
});
