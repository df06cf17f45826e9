import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { isKeyedDigest, keyedDigest, resealText, sealText, unsealText } from "@/lib/seal";

const before = process.env.AUTH_SECRET;

function useSecret(secret: string | undefined, previous?: string): void {
  if (secret === undefined) delete process.env.AUTH_SECRET;
  else process.env.AUTH_SECRET = secret;
  if (previous === undefined) delete process.env.AUTH_SECRET_PREVIOUS;
  else process.env.AUTH_SECRET_PREVIOUS = previous;
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

test("the previous secret opens and checks, and the present one seals and signs", () => {
  const [old, present] = ["a".repeat(32), "b".repeat(32)];
  const box = { purpose: "totp", owner: "7" };
  const sealed = sealText({ ...box, text: "JBSWY3DP" });
  const digest = keyedDigest({ text: "K7MP2X", purpose: "codes" });
  expect(resealText({ ...box, sealed })).toBeNull();

  useSecret(present, old);
  expect(unsealText({ ...box, sealed })).toBe("JBSWY3DP");
  expect(isKeyedDigest({ digest, text: "K7MP2X", purpose: "codes" })).toBe(true);
  expect(isKeyedDigest({ digest, text: "K7MP2Y", purpose: "codes" })).toBe(false);
  expect(keyedDigest({ text: "K7MP2X", purpose: "codes" })).not.toBe(digest);
  const resealed = String(resealText({ ...box, sealed }));
  expect(resealText({ ...box, sealed: resealed })).toBeNull();
  expect(() => resealText({ ...box, owner: "8", sealed })).toThrow();

  useSecret(present);
  expect(unsealText({ ...box, sealed: resealed })).toBe("JBSWY3DP");
  expect(() => unsealText({ ...box, sealed })).toThrow();
  expect(isKeyedDigest({ digest, text: "K7MP2X", purpose: "codes" })).toBe(false);
});
