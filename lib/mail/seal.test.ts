import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { mailSealer } from "@/lib/mail/seal";

const { seal, unseal } = mailSealer;
const data = JSON.stringify({
  link: "https://boutique.example/reset-password/5ecret",
  name: "Zoé",
});
const before = process.env.AUTH_SECRET;

function useSecret(secret: string | undefined): void {
  if (secret === undefined) delete process.env.AUTH_SECRET;
  else process.env.AUTH_SECRET = secret;
  forgetEnv();
}

test.beforeEach(() => useSecret("a".repeat(32)));
test.afterAll(() => useSecret(before));

test("sealed data is unreadable, and can be unsealed", () => {
  const sealed = seal(data);
  expect(Buffer.from(sealed, "base64").toString("latin1")).not.toContain("5ecret");
  expect(unseal(sealed)).toBe(data);
  expect(seal(data)).not.toBe(sealed);
});

test("a changed text, or one sealed with another secret, cannot be unsealed", () => {
  const sealed = seal(data);
  const bytes = Buffer.from(sealed, "base64");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => unseal(bytes.toString("base64"))).toThrow();
  expect(() => unseal("")).toThrow();
  useSecret("b".repeat(32));
  expect(() => unseal(sealed)).toThrow();
});
