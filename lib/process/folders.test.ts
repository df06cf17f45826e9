import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { parseEnv } from "@/lib/env";
import { findUnusableFolders } from "./folders";

test("folders that cannot be used are found, missing ones are made, replaced ones not looked at", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-folders-"));
  try {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const made = path.join(folder, "not/yet/there");
    const settings = parseEnv({ UPLOADS_DIR: file, DOWNLOADS_DIR: folder, MAIL_DIR: made });
    expect(findUnusableFolders(settings)).toMatchObject([
      { variable: "UPLOADS_DIR", folder: file, err: { code: "EEXIST" } },
    ]);
    expect(statSync(made).isDirectory()).toBe(true);
    expect(statSync(made).mode & 0o777).toBe(0o700);
    const unmakeable = path.join(file, "mails");
    for (const MAIL_DIR of process.platform === "linux" ? [unmakeable, "/proc/none"] : [unmakeable])
      expect(findUnusableFolders({ ...settings, UPLOADS_DIR: folder, MAIL_DIR })).toMatchObject([
        { variable: "MAIL_DIR" },
      ]);
    const files = parseEnv({ UPLOADS_DIR: file, DOWNLOADS_DIR: file, MAIL_DIR: file });
    const replaced = { ...files, S3_BUCKET: "images", RESEND_API_KEY: "re_1" };
    expect(findUnusableFolders(replaced)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
