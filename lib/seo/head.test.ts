import { expect, test } from "@playwright/test";
import { clip, fullTitle } from "./head";

test("a page's title ends in the shop's name", () => {
  expect(fullTitle("Nos produits")).toBe("Nos produits - Mini Ecommerce");
  expect(fullTitle(undefined)).toBe("Mini Ecommerce");
});

test("a short text stays whole, on one line", () => {
  expect(clip("  Une\n\ntasse   en grès. ", 160)).toBe("Une tasse en grès.");
  expect(clip("exactement", 10)).toBe("exactement");
});

test("a long text is cut after a whole word, within its length", () => {
  for (const [text, length, cut] of [
    ["Une tasse en grès", 11, "Une tasse…"],
    ["Une tasse en grès", 10, "Une tasse…"],
    ["Une tasse en grès", 9, "Une…"],
    ["Une tasse, en grès", 12, "Une tasse…"],
  ] as const)
    expect(clip(text, length)).toBe(cut);

  const text = "Théière en fonte émaillée qui garde le thé au chaud, ".repeat(20);
  for (let length = 20; length < 300; length += 1) {
    const cut = clip(text, length);
    expect(cut.length).toBeLessThanOrEqual(length);
    expect(cut.endsWith("…") && text.startsWith(cut.slice(0, -1))).toBe(true);
    expect(text.charAt(cut.length - 1)).toMatch(/[ ,]/);
  }
});

test("a single long word is cut after a whole character", () => {
  expect(clip("a".repeat(200), 160)).toBe(`${"a".repeat(159)}…`);
  expect(clip("🎁".repeat(10), 6)).toBe("🎁🎁…");
});
