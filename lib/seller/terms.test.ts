import { expect, test } from "@playwright/test";
import { cleanTerms, parseTerms, sectionsAbout } from "./terms";

test("headings, paragraphs and lists are told apart by how their lines begin", () => {
  const text = cleanTerms(
    "\r\n# Prix \r\nEn euros,\r\ntaxes  comprises.\n\n\n\nIls comprennent :\n- la TVA\n-  l’emballage\n\n- à part\n#Sans espace\n",
  );
  expect(text).toBe(
    "# Prix\nEn euros,\ntaxes comprises.\n\nIls comprennent :\n- la TVA\n- l’emballage\n\n- à part\n#Sans espace",
  );
  expect(cleanTerms(text)).toBe(text);
  expect(parseTerms(text)).toEqual([
    { kind: "heading", text: "Prix" },
    { kind: "paragraph", text: "En euros,\ntaxes comprises." },
    { kind: "paragraph", text: "Ils comprennent :" },
    { kind: "list", items: ["la TVA", "l’emballage"] },
    { kind: "list", items: ["à part"] },
    { kind: "paragraph", text: "#Sans espace" },
  ]);
});

test("a text without visible characters is empty; non-breaking spaces are kept", () => {
  expect(cleanTerms(" \u200b\n\u00ad\n")).toBe("");
  expect(parseTerms("")).toEqual([]);
  expect(cleanTerms("14\u00a0jours\u202f!")).toBe("14\u00a0jours\u202f!");
});

test("the sections about a subject are told by their headings", () => {
  const blocks = parseTerms(
    "Avant\n\n# 1. Prix\nEn euros.\n\n# 2. Retours\nChez nous.\n- en boîte",
  );
  expect(sectionsAbout(blocks, /retour/i)).toEqual([
    { kind: "heading", text: "2. Retours" },
    { kind: "paragraph", text: "Chez nous." },
    { kind: "list", items: ["en boîte"] },
  ]);
  expect(sectionsAbout(blocks, /garantie/i)).toEqual([]);
});
