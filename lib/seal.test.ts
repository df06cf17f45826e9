import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { isKeyedDigest, keyedDigest, sealerFor } from "@/lib/seal";

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

test("a sealed text can only be unsealed for its purpose and owner", () => {
  const { seal, unseal } = sealerFor({ purpose: "totp", owner: "7" });
  const sealed = seal("JBSWY3DP");
  expect(unseal(sealed)).toBe("JBSWY3DP");
  expect(() => sealerFor({ purpose: "totp", owner: "8" }).unseal(sealed)).toThrow();
  expect(() => sealerFor({ purpose: "mail", owner: "7" }).unseal(sealed)).toThrow();
  expect(() => unseal(sealed.slice(0, 20))).toThrow();
  const bytes = Buffer.from(sealed, "base64");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => unseal(bytes.toString("base64"))).toThrow();
  useSecret("b".repeat(32));
  expect(() => unseal(sealed)).toThrow();
});

test("two seals of one text differ, two digests do not", () => {
  const { seal } = sealerFor({ purpose: "totp" });
  expect(seal("JBSWY3DP")).not.toBe(seal("JBSWY3DP"));
  const digest = (purpose: string) => keyedDigest({ text: "K7MP2X", purpose });
  expect(digest("codes")).toBe(digest("codes"));
  expect(digest("codes")).not.toBe(digest("others"));
  expect(digest("codes")).toMatch(/^[0-9a-f]{64}$/);
});

test("the previous secret still unseals and verifies, the current one seals and signs", () => {
  const [old, present] = ["a".repeat(32), "b".repeat(32)];
  const { seal, unseal, reseal } = sealerFor({ purpose: "totp", owner: "7" });
  const sealed = seal("JBSWY3DP");
  const digest = keyedDigest({ text: "K7MP2X", purpose: "codes" });
  expect(reseal(sealed)).toBeNull();

  useSecret(present, old);
  expect(unseal(sealed)).toBe("JBSWY3DP");
  expect(isKeyedDigest({ digest, text: "K7MP2X", purpose: "codes" })).toBe(true);
  expect(isKeyedDigest({ digest, text: "K7MP2Y", purpose: "codes" })).toBe(false);
  expect(keyedDigest({ text: "K7MP2X", purpose: "codes" })).not.toBe(digest);
  const resealed = String(reseal(sealed));
  expect(reseal(resealed)).toBeNull();
  expect(() => sealerFor({ purpose: "totp", owner: "8" }).reseal(sealed)).toThrow();

  useSecret(present);
  expect(unseal(resealed)).toBe("JBSWY3DP");
  expect(() => unseal(sealed)).toThrow();
  expect(isKeyedDigest({ digest, text: "K7MP2X", purpose: "codes" })).toBe(false);
});
