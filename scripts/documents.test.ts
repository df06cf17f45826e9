import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { ROOT } from "@/scripts/command";

const DOCUMENTS = [
  "README.md",
  ...readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => path.posix.join("docs", file)),
];

/** Paths of the repository that a document names, and files that it links. */
function namedFiles(document: string): string[] {
  const text = readFileSync(path.join(ROOT, document), "utf8");
  const named = text.matchAll(
    /`((?:app|bench|components|db|e2e|lib|sandbox|scripts)\/[^`\s<*]*)`/g,
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
      .filter((file) => !existsSync(path.join(ROOT, file)))
      .map((file) => `${document}: ${file}`),
  );
  expect(DOCUMENTS.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
