import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import {
  isAllowed,
  LICENCES_FILE,
  licencesText,
  productionPackages,
  readLock,
} from "@/scripts/licences";

test("every production package has a licence that asks for a notice at most", () => {
  const packages = productionPackages(readLock());
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter((each) => !isAllowed(each))).toEqual([]);
  for (const licence of [
    "unknown",
    "GPL-3.0",
    "LGPL-3.0-or-later",
    "MIT AND GPL-2.0",
    "UNLICENSED",
  ])
    expect(isAllowed({ name: "a", licence }), licence).toBe(false);
  expect(isAllowed({ name: "a", licence: "(MIT OR GPL-2.0)" })).toBe(true);
});

test("docs/licences.md is what `npm run licences` writes", () => {
  expect(readFileSync(LICENCES_FILE, "utf8")).toBe(licencesText(productionPackages(readLock())));
});

test("the lockfile has the integrity hash of every production package", () => {
  const { packages } = readLock() as unknown as {
    packages: Record<string, { integrity?: string; dev?: boolean; inBundle?: boolean }>;
  };
  const unhashed = Object.entries(packages).filter(
    // A bundled package is covered by the hash of the one that bundles it.
    ([place, { integrity, dev, inBundle }]) =>
      place !== "" && !dev && !inBundle && !integrity?.startsWith("sha512-"),
  );
  // Next.js's compiler for systems that the lockfile was not made on; `npm i` there adds their hashes.
  const compilers = ["darwin-arm64", "darwin-x64", "win32-arm64-msvc", "win32-x64-msvc"];
  expect(unhashed.map(([place]) => place)).toEqual(
    compilers.map((system) => `node_modules/@next/swc-${system}`),
  );
});
