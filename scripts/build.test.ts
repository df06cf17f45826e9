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

test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-build-"));
  for (const [file, text] of Object.entries({
    "app/page.tsx": "page",
    "app/page.test.ts": "test",
    "README.md": "read me",
    ".next/BUILD_ID": "one",
  })) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  run("const build = await load(); build.recordBuild(build.hashSources())");
});

test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string): string {
  const load = `const load = () => import(${JSON.stringify(MODULE)});`;
  return execFileSync(
    process.execPath,
    ["--import", TSX, "--input-type=module", "-e", load + script],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, TSX_TSCONFIG_PATH: path.resolve("tsconfig.json") },
    },
  );
}

const isFresh = () => run("process.stdout.write(String((await load()).isBuildFresh()))") === "true";
const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);

test("a build is fresh until a source changes, comes or goes", () => {
  expect(isFresh()).toBe(true);
  write("app/page.tsx", "other");
  expect(isFresh()).toBe(false);
  write("app/page.tsx", "page");
  write("app/layout.tsx", "layout");
  expect(isFresh()).toBe(false);
  rmSync(path.join(folder, "app/layout.tsx"));
  expect(isFresh()).toBe(true);
  rmSync(path.join(folder, "app/page.tsx"));
  expect(isFresh()).toBe(false);
});

test("what a build does not depend on leaves it fresh", () => {
  utimesSync(path.join(folder, "app/page.tsx"), new Date(), new Date());
  write("app/page.test.ts", "other test");
  write("README.md", "do read me");
  expect(isFresh()).toBe(true);
});

test("a build made by other means is not known to be fresh", () => {
  write(".next/BUILD_ID", "two");
  expect(isFresh()).toBe(false);
  rmSync(path.join(folder, ".next"), { recursive: true });
  expect(isFresh()).toBe(false);
});
