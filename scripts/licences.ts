import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { print, ROOT, runCommand } from "@/scripts/command";

// npm run licences – writes docs/licences.md: the licence of each production package, from
// package-lock.json. A test compares the two files.

export const LICENCES_FILE = path.join(ROOT, "docs/licences.md");

/** Licences that require only a notice. */
const PERMISSIVE =
  /^(?:0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC-BY-4\.0|CC0-1\.0|ISC|MIT|MIT-0|OFL-1\.1|Unlicense)$/;

/** Packages whose manifest names no licence, by their licence text. */
const LICENCE_BY_TEXT: Readonly<Record<string, string>> = { "png-js": "MIT" };

interface Lock {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>;
}

interface LicensedPackage {
  /** Name and version. */
  name: string;
  licence: string;
}

export function readLock(): Lock {
  return JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")) as Lock;
}

/** The packages that `npm ci --omit=dev` installs on any system, sorted by name. */
export function productionPackages({ packages }: Lock): LicensedPackage[] {
  const licences = new Map<string, string>();
  for (const [folder, { version, license, dev, link }] of Object.entries(packages)) {
    if (folder === "" || dev || link) continue;
    const [, name = ""] = /.*node_modules\/(.+)/.exec(folder) ?? [];
    licences.set(`${name} ${version}`, license ?? LICENCE_BY_TEXT[name] ?? "unknown");
  }
  return [...licences].sort().map(([name, licence]) => ({ name, licence }));
}

/** Of an SPDX "OR" one licence must be allowed, of an "AND" all. */
export function isAllowed({ name, licence }: LicensedPackage): boolean {
  const isOne = (text: string) =>
    PERMISSIVE.test(text) ||
    // The LGPL allows loading a library that the user can replace, as sharp does with libvips.
    (text === "LGPL-3.0-or-later" && name.startsWith("@img/sharp-"));
  const terms = licence.replace(/[()]/g, "").split(" OR ");
  return terms.some((term) => term.split(" AND ").every(isOne));
}

export function licencesText(packages: readonly LicensedPackage[]): string {
  const licences = [...new Set(packages.map(({ licence }) => licence))].sort();
  const sections = licences.map((each) => {
    const names = packages.filter(({ licence }) => licence === each).map(({ name }) => name);
    return `## ${each}\n\n${names.join(", ")}.\n`;
  });
  return [
    "# Licences\n",
    "Of every package that the shop needs to run, on whatever system. Written by `npm run licences`;",
    "a test fails for one that is not here, or that a shop may not use.\n",
    ...sections,
  ].join("\n");
}

if (path.basename(process.argv[1] ?? "") === "licences.ts")
  void runCommand(async () => {
    writeFileSync(LICENCES_FILE, licencesText(productionPackages(readLock())));
    print("docs/licences.md est à jour.");
  });
