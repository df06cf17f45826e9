import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { findServerAccount } from "@/sandbox/server-account";

test("root starts the database as the folder's owner, if that user has a name", () => {
  test.skip(process.getuid?.() !== 0, "other users start it as themselves");
  const folder = mkdtempSync(path.join(tmpdir(), "account-"));
  // "daemon" on Debian, macOS and Alpine alike.
  chownSync(folder, 1, 1);
  expect(findServerAccount({ owned: [folder] })).toEqual({ uid: 1, gid: 1 });
  chownSync(folder, 54_321, 54_321);
  expect(findServerAccount({ owned: [folder] })).toEqual(findServerAccount({ owned: [] }));
  rmSync(folder, { recursive: true });
});
