import { expect, test } from "@playwright/test";
import { durationText, fail, isFailure } from "@/lib/errors/failure";

test("delays are shown in whole units, rounded up", () => {
  const texts = {
    "0": "1 seconde",
    "0.2": "1 seconde",
    "1.1": "2 secondes",
    "59": "59 secondes",
    "60": "1 minute",
    "61": "2 minutes",
    "3600": "1 heure",
    "3601": "2 heures",
  };
  for (const [seconds, text] of Object.entries(texts))
    expect(durationText(Number(seconds))).toBe(text);
});

test("violations are told line by line", () => {
  const failure = fail.violations([
    { propertyPath: "name", message: "Trop court." },
    { propertyPath: "", message: "Tous les champs sont obligatoires" },
  ]);
  expect(failure.message).toBe("name: Trop court.\nTous les champs sont obligatoires");
});

test("refusals are distinguished from other errors", () => {
  expect(isFailure(fail.notFound())).toBe(true);
  expect(isFailure(fail.notFound(), "notFound")).toBe(true);
  expect(isFailure(fail.notFound(), "conflict")).toBe(false);
  expect(isFailure(new Error("x"))).toBe(false);
});
