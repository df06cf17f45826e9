import { expect, test } from "@playwright/test";
import { negotiate } from "@/lib/http/api/negotiate";

const cases: [accept: string | null, format: "ld" | "json" | null][] = [
  [null, "ld"],
  ["", "ld"],
  ["*/*", "ld"],
  ["application/ld+json", "ld"],
  ["application/json", "json"],
  ["application/json, text/plain, */*", "json"],
  ["application/json, application/ld+json", "json"],
  ["application/ld+json, application/json", "ld"],
  ["*/*, application/json", "ld"],
  ["application/*", "ld"],
  ["application/json;q=0.5, application/ld+json", "ld"],
  ["application/json, application/ld+json;q=0.9", "json"],
  ["application/json;q=0.9, */*;q=0.8", "json"],
  ["application/ld+json;q=0, */*", "json"],
  ["application/json;q=0, application/*", "ld"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "ld"],
  ["APPLICATION/JSON", "json"],
  ["application/json; charset=utf-8", "json"],
  ["text/html", null],
  ["application/problem+json", null],
  ["application/json;q=0", null],
  ["*/*;q=0", null],
  ["nonsense", null],
  ["application/json;q=2", null],
];

for (const [accept, format] of cases)
  test(`Accept « ${accept} » gives ${format ?? "nothing"}`, () => {
    expect(negotiate(accept)).toBe(format);
  });
