import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";

// The module works on the folder that its process runs in: here one of its own.
const MODULE = pathToFileURL(path.resolve("scripts/build.ts")).href;
const TSX = pathToFileURL(path.resolve("node_modules/tsx/dist/loader.mjs")).href;

let folder = "";

const run = (script: string) =>
  execFileSync(
    process.execPath,
    [
      ...["--import", TSX, "--input-type=module", "-e"],
      `const build = await import(${JSON.stringify(MODULE)}); ${script}`,
    ],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, TSX_TSCONFIG_PATH: path.resolve("tsconfig.json") },
    },
  );

const isFresh = () => run("process.stdout.write(String(build.isBuildFresh()))") === "true";
const remove = (name: string) => rmSync(path.join(folder, name), { recursive: true });

function write(name: string, text: string): void {
  mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-build-"));
  write("app/page.tsx", "page");
  write("app/page.test.ts", "test");
  write("README.md", "read me");
  write(".next/BUILD_ID", "one");
  run("build.recordBuild(build.hashSources())");
});

test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a build is fresh until a source changes, comes or goes", () => {
  write("app/page.tsx", "other");
  expect(isFresh()).toBe(false);
  write("app/page.tsx", "page");
  write("app/layout.tsx", "layout");
  expect(isFresh()).toBe(false);
  remove("app/layout.tsx");
  expect(isFresh()).toBe(true);
  remove("app/page.tsx");
  expect(isFresh()).toBe(false);
});

test("what a build does not depend on leaves it fresh; one made by other means is not", () => {
  utimesSync(path.join(folder, "app/page.tsx"), new Date(), new Date());
  write("app/page.test.ts", "other test");
  write("README.md", "do read me");
  expect(isFresh()).toBe(true);
  write(".next/BUILD_ID", "two");
  expect(isFresh()).toBe(false);
  remove(".next");
  expect(isFresh()).toBe(false);
});
