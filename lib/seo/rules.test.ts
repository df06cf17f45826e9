import { expect, test } from "@playwright/test";
import { cardVersion, clip, fullTitle } from "./rules";

test("a page's title ends in the shop's name", () => {
  expect(fullTitle("Nos produits")).toBe("Nos produits - Mini Ecommerce");
  expect(fullTitle(undefined)).toBe("Mini Ecommerce");
});

test("a short text stays whole, on one line", () => {
  expect(clip("  Une\n\ntasse   en grès. ", 160)).toBe("Une tasse en grès.");
  expect(clip("exactement", 10)).toBe("exactement");
});

test("a long text is cut after a whole word, within its length", () => {
  expect(clip("Une tasse en grès", 11)).toBe("Une tasse…");
  expect(clip("Une tasse en grès", 10)).toBe("Une tasse…");
  expect(clip("Une tasse en grès", 9)).toBe("Une…");
  expect(clip("Une tasse, en grès", 12)).toBe("Une tasse…");

  const text = "Théière en fonte émaillée qui garde le thé au chaud, ".repeat(20);
  for (let length = 20; length < 300; length += 1) {
    const cut = clip(text, length);
    expect(cut.length).toBeLessThanOrEqual(length);
    expect(cut.endsWith("…")).toBe(true);
    expect(text.startsWith(cut.slice(0, -1))).toBe(true);
    expect(text.charAt(cut.length - 1)).toMatch(/[ ,]/);
  }
});

test("a single long word is cut after a whole character", () => {
  expect(clip("a".repeat(200), 160)).toBe(`${"a".repeat(159)}…`);
  expect(clip("🎁".repeat(10), 6)).toBe("🎁🎁…");
});

test("a picture has another version as soon as it shows something else", () => {
  const card = { name: "Théière", price: "42,90\u00a0€", image: "theiere.webp" };
  const version = cardVersion(card);
  expect(version).toMatch(/^[\w-]{12}$/);
  expect(cardVersion({ ...card })).toBe(version);
  expect(cardVersion({ ...card, price: "42,91\u00a0€" })).not.toBe(version);
  expect(cardVersion({ ...card, name: "Théières" })).not.toBe(version);
  expect(cardVersion({ ...card, image: null })).not.toBe(version);
});
