import { expect, test } from "@playwright/test";
import { durationText } from "@/lib/errors/failure";

test("delays are shown in whole units, rounded up", () => {
  for (const [seconds, text] of [
    [0, "1 seconde"],
    [1.1, "2 secondes"],
    [59, "59 secondes"],
    [60, "1 minute"],
    [61, "2 minutes"],
    [3600, "1 heure"],
    [3601, "2 heures"],
  ] as const)
    expect(durationText(seconds)).toBe(text);
});
