import { expect, test } from "@playwright/test";
import { allowedDefaults, postalCodeProblem, withAddress } from "@/lib/addresses/rules";

const WRONG = "Le code postal doit être valide (format: 12345 ou 12345-6789).";

test("a postal code has five digits, and four more if one likes", () => {
  for (const good of ["69003", "00000", "12345-6789"]) expect(postalCodeProblem(good)).toBeNull();
  for (const bad of ["6900", "690033", "69 003", "2A004", "12345-", "12345-678", "123456789"])
    expect(postalCodeProblem(bad), bad).toBe(WRONG);
  for (const bad of ["٦٩٠٠٣", "69003\n"]) expect(postalCodeProblem(bad), bad).toBe(WRONG);
  expect(postalCodeProblem("")).toBe("Le code postal ne doit pas être vide.");
});

test("an address can only be the default of its own type", () => {
  const both = { isDefault: true, isDefaultBilling: true };
  expect(allowedDefaults({ type: "shipping", ...both })).toEqual({
    isDefault: true,
    isDefaultBilling: false,
  });
  expect(allowedDefaults({ type: "billing", ...both })).toEqual({
    isDefault: false,
    isDefaultBilling: true,
  });
});

test("a saved address replaces the old one in the list, and is the only default of its type", () => {
  const none = { isDefault: false, isDefaultBilling: false };
  const [first, second, billing] = [
    { id: 1, ...none, isDefault: true },
    { id: 2, ...none },
    { id: 3, ...none, isDefaultBilling: true },
  ];
  const chosen = { ...second, isDefault: true };
  const former = { ...first, isDefault: false };
  expect(withAddress([first, second, billing], chosen)).toEqual([former, chosen, billing]);
  const added = { id: 4, ...none, isDefaultBilling: true };
  const replaced = { ...billing, isDefaultBilling: false };
  expect(withAddress([first, billing], added)).toEqual([first, replaced, added]);
  const renamed = { ...first, street: "2 rue Basse" };
  expect(withAddress([first, second], renamed)).toEqual([renamed, second]);
});
