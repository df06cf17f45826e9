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
  const before = new Date("2026-03-02");
  for (const [name, day] of [
    [`.${randomUUID()}.tmp`, "2026-03-01"],
    [`.${randomUUID()}.tmp`, "2026-02-01"],
    [".01234567-89ab-cdef-0123-456789abcdef.tmp", "2026-03-03"],
    [".notes.tmp", "2026-02-01"],
    ["photo.png", "2026-02-01"],
  ] as const) {
    await writeFile(path.join(folder, name), "half");
    await utimes(path.join(folder, name), new Date(day), new Date(day));
  }
  expect(await removeTemporaryFiles({ folder, before })).toBe(2);
  expect((await readdir(folder)).sort()).toEqual([
    ".01234567-89ab-cdef-0123-456789abcdef.tmp",
    ".notes.tmp",
    "photo.png",
  ]);
  expect(await removeTemporaryFiles({ folder: path.join(folder, "missing"), before })).toBe(0);
});
