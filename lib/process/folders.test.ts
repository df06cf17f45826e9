import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { parseEnv } from "@/lib/env";
import { findUnusableFolders } from "./folders";

let folder = "";

test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-folders-"));
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("folders that cannot be used are found, and missing ones are made", () => {
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  const ready = path.join(folder, "ready");
  mkdirSync(ready);
  const made = path.join(folder, "not/yet/there");
  const settings = parseEnv({ UPLOADS_DIR: file, DOWNLOADS_DIR: ready, MAIL_DIR: made });
  expect(findUnusableFolders(settings)).toMatchObject([
    { variable: "UPLOADS_DIR", folder: file, err: { code: "EEXIST" } },
  ]);
  expect(statSync(made).isDirectory()).toBe(true);
  expect(statSync(made).mode & 0o777).toBe(0o700);
  const below = { ...settings, UPLOADS_DIR: ready, MAIL_DIR: path.join(file, "mails") };
  expect(findUnusableFolders(below)).toMatchObject([{ variable: "MAIL_DIR" }]);
});

test("a folder that cannot be created is found, too", () => {
  test.skip(process.platform !== "linux", "needs Linux's /proc");
  const settings = parseEnv({
    UPLOADS_DIR: folder,
    DOWNLOADS_DIR: folder,
    MAIL_DIR: "/proc/none",
  });
  expect(findUnusableFolders(settings)).toMatchObject([{ variable: "MAIL_DIR" }]);
});

test("folders that a bucket or Resend replaces are not looked at", () => {
  const file = path.join(folder, "other-file");
  writeFileSync(file, "");
  const settings = parseEnv({ UPLOADS_DIR: file, DOWNLOADS_DIR: file, MAIL_DIR: file });
  const away = { ...settings, S3_BUCKET: "images", RESEND_API_KEY: "re_1" };
  expect(findUnusableFolders(away)).toEqual([]);
});
