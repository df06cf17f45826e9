import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { ROOT } from "@/scripts/command";

const FOLDERS = "app|bench|components|db|deploy|docs|e2e|lib|public|sandbox|scripts";
const ENDING = "css|md|mjs|sql|tsx?|vcl|ya?ml";

/** Sources and documents, by their paths from the repository's root. */
const FILES = ["", ...FOLDERS.split("|")]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: folder !== "", encoding: "utf8" }).map(
      (file) => path.posix.join(folder, file),
    ),
  )
  .filter((file) => new RegExp(`\\.(?:${ENDING})$`).test(file));
const DOCUMENTS = FILES.filter((file) => file.endsWith(".md"));

const textOf = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

/** A path from the repository's root, or the end of one: `query.ts` after `lib/http/api/route.ts`. */
const exists = (file: string) =>
  existsSync(path.join(ROOT, file)) || FILES.some((known) => known.endsWith(`/${file}`));

/** Paths of the repository that a document names, and files that it links. */
function namedFiles(document: string): string[] {
  const text = textOf(document);
  const named = text.matchAll(
    new RegExp(`\`((?:${FOLDERS})/[^\`\\s<*]*|[\\w.[][^\`\\s<*]*\\.(?:${ENDING}))\``, "g"),
  );
  const linked = text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g);
  return [
    ...[...named].map(([, file = ""]) => file),
    ...[...linked].map(([, file = ""]) => path.posix.join(path.posix.dirname(document), file)),
  ];
}

test("documents name files that exist", () => {
  const missing = DOCUMENTS.flatMap((document) =>
    namedFiles(document)
      .filter((file) => !exists(file))
      .map((file) => `${document}: ${file}`),
  );
  expect(DOCUMENTS.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

test("documents and sources name decisions that exist", () => {
  const numbers = new Set(
    readdirSync(path.join(ROOT, "docs/decisions")).map((file) => file.slice(0, 3)),
  );
  const missing = FILES.flatMap((file) =>
    [...textOf(file).matchAll(/\bdecisions?[/[\s*]+\d{3}\b(?:(?:,| and) \d{3}\b)*/gi)]
      .flatMap(([named]) => named.match(/\d{3}/g) ?? [])
      .filter((number) => !numbers.has(number))
      .map((number) => `${file}: ${number}`),
  );
  expect(numbers.size).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
