import { expect, test } from "@playwright/test";
import { hashPassword, verifyPassword } from "@/lib/auth/password";

test("a hash matches only its password", async () => {
  const hash = await hashPassword("Admin-2026!");
  expect(await verifyPassword({ hash, password: "Admin-2026!" })).toBe(true);
  expect(await verifyPassword({ hash, password: "admin-2026!" })).toBe(false);
  expect(await verifyPassword({ hash, password: "" })).toBe(false);
});

test("hashes are argon2id at the recommended cost and never twice the same", async () => {
  const hash = await hashPassword("Admin-2026!");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hashPassword("Admin-2026!")).not.toBe(hash);
});

test("both Unicode forms of a letter match", async () => {
  const hash = await hashPassword("\u00c9t\u00e9-2026");
  expect(await verifyPassword({ hash, password: "E\u0301te\u0301-2026" })).toBe(true);
});

test("without an account, or with a text that is no hash, every password is refused", async () => {
  expect(await verifyPassword({ hash: null, password: "nobody's password" })).toBe(false);
  expect(await verifyPassword({ hash: "", password: "" })).toBe(false);
  expect(await verifyPassword({ hash: "Admin-2026!", password: "Admin-2026!" })).toBe(false);
});
