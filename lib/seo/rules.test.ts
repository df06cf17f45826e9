import { expect, test } from "@playwright/test";
import { cardVersion, workingDaysIn } from "./rules";

test("a share picture has another version when its content changes", () => {
  const card = { name: "Théière", price: "42,90\u00a0€", image: "theiere.webp" };
  const version = cardVersion(card);
  expect(version).toMatch(/^[\w-]{12}$/);
  expect(cardVersion({ ...card })).toBe(version);
  expect(cardVersion({ ...card, price: "42,91\u00a0€" })).not.toBe(version);
  expect(cardVersion({ ...card, name: "Théières" })).not.toBe(version);
  expect(cardVersion({ ...card, image: null })).not.toBe(version);
});

test("the days of a delay are read as shops write them", () => {
  for (const [delay, days] of [
    ["2 à 3 jours ouvrés", { min: 2, max: 3 }],
    ["3\u00a0à\u00a04\u00a0jours ouvrés", { min: 3, max: 4 }],
    ["Livré en 24 h", { min: 1, max: 1 }],
    ["24-48 heures", { min: 1, max: 2 }],
    ["5 jours", { min: 5, max: 5 }],
    ["1 jour", { min: 1, max: 1 }],
    ["", null],
    ["rapide", null],
    ["3 à 2 jours", null],
    ["2 semaines", null],
  ] as const)
    expect(workingDaysIn(delay), delay).toEqual(days);
});
