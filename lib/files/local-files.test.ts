import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { removeTemporaryFiles, writeAtomically } from "./local-files";

let folder: string;

test.beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "files-"));
});

test.afterEach(() => rm(folder, { recursive: true, force: true }));

test("a file that cannot be written leaves no temporary file", async () => {
  // A folder has the name already.
  await writeAtomically(path.join(folder, "taken", "file"), "content");
  await expect(writeAtomically(path.join(folder, "taken"), "content")).rejects.toThrow();
  expect(await readdir(folder)).toEqual(["taken"]);
});

test("only temporary files older than the given time are removed", async () => {
  const put = async (name: string, time: Date) => {
    await writeFile(path.join(folder, name), "half");
    await utimes(path.join(folder, name), time, time);
    return name;
  };
  const before = new Date("2026-03-02");
  await put(`.${randomUUID()}.tmp`, new Date("2026-03-01"));
  await put(`.${randomUUID()}.tmp`, new Date("2026-02-01"));
  const kept = [
    await put(`.${randomUUID()}.tmp`, new Date("2026-03-03")),
    await put(".notes.tmp", new Date("2026-02-01")),
    await put("photo.png", new Date("2026-02-01")),
  ];
  expect(await removeTemporaryFiles({ folder, before })).toBe(2);
  expect((await readdir(folder)).sort()).toEqual(kept.sort());
  expect(await removeTemporaryFiles({ folder, before })).toBe(0);
});

test("a missing folder has no temporary files", async () => {
  const missing = path.join(folder, "uploads");
  expect(await removeTemporaryFiles({ folder: missing, before: new Date() })).toBe(0);
});
