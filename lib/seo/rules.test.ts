import { expect, test } from "@playwright/test";
import { cardVersion } from "./rules";

test("a share picture has another version when its content changes", () => {
  const card = { name: "Théière", price: "42,90\u00a0€", image: "theiere.webp" };
  const version = cardVersion(card);
  expect(version).toMatch(/^[\w-]{12}$/);
  expect(cardVersion({ ...card })).toBe(version);
  expect(cardVersion({ ...card, price: "42,91\u00a0€" })).not.toBe(version);
  expect(cardVersion({ ...card, name: "Théières" })).not.toBe(version);
  expect(cardVersion({ ...card, image: null })).not.toBe(version);
});
