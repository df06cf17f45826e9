import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { keyedDigest, sealText, unsealText } from "@/lib/seal";

const before = process.env.AUTH_SECRET;

function useSecret(secret: string | undefined): void {
  if (secret === undefined) delete process.env.AUTH_SECRET;
  else process.env.AUTH_SECRET = secret;
  forgetEnv();
}

test.beforeEach(() => useSecret("a".repeat(32)));
test.afterAll(() => useSecret(before));

test("a sealed text opens for its purpose and its owner alone", () => {
  const sealed = sealText({ text: "JBSWY3DP", purpose: "totp", owner: "7" });
  expect(unsealText({ sealed, purpose: "totp", owner: "7" })).toBe("JBSWY3DP");
  expect(() => unsealText({ sealed, purpose: "totp", owner: "8" })).toThrow();
  expect(() => unsealText({ sealed, purpose: "mail", owner: "7" })).toThrow();
  expect(() => unsealText({ sealed: sealed.slice(0, 20), purpose: "totp", owner: "7" })).toThrow();
  useSecret("b".repeat(32));
  expect(() => unsealText({ sealed, purpose: "totp", owner: "7" })).toThrow();
});

test("two seals of one text differ, two digests do not", () => {
  const seal = () => sealText({ text: "JBSWY3DP", purpose: "totp" });
  expect(seal()).not.toBe(seal());
  const digest = (purpose: string) => keyedDigest({ text: "K7MP2X", purpose });
  expect(digest("codes")).toBe(digest("codes"));
  expect(digest("codes")).not.toBe(digest("others"));
  expect(digest("codes")).toMatch(/^[0-9a-f]{64}$/);
});
