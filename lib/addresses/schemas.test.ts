import { expect, test } from "@playwright/test";
import { addressChange, addressInput } from "@/lib/addresses/schemas";
import { frenchIssue } from "@/lib/http/api/french-issues";

const good = { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" };

function problemsOf(input: unknown): Record<string, string> {
  const { error } = addressInput.safeParse(input, { error: frenchIssue });
  return Object.fromEntries(
    error?.issues.map(({ path, message }) => [path.join("."), message]) ?? [],
  );
}

test("an address is a shipping address and no default, unless specified", () => {
  const kept = { ...good, type: "shipping", isDefault: false, isDefaultBilling: false };
  expect(
    addressInput.parse({ ...good, street: " 12  rue\tdes Lilas ", postalCode: " 69003 " }),
  ).toEqual(kept);
  for (const type of [null, ""]) expect(addressInput.parse({ ...good, type })).toEqual(kept);
  const billing = { ...good, type: "billing", isDefaultBilling: true };
  expect(addressInput.parse(billing)).toEqual({ ...billing, isDefault: false });
});

test("every field has its message", () => {
  expect(problemsOf({})).toEqual({
    street: "Ce champ est obligatoire.",
    city: "Ce champ est obligatoire.",
    postalCode: "Le code postal ne doit pas être vide.",
  });
  expect(problemsOf({ ...good, postalCode: "6900" })).toEqual({
    postalCode: "Le code postal doit être valide (format: 12345 ou 12345-6789).",
  });
  expect(problemsOf({ ...good, type: "home" })).toEqual({
    type: "Cette valeur n'est pas permise. Valeurs permises : shipping, billing.",
  });
  expect(problemsOf({ ...good, street: "a".repeat(256), isDefault: "yes" })).toEqual({
    street: "Ce champ doit contenir au plus 255 caractères.",
    isDefault: "Ce champ doit être vrai ou faux.",
  });
});

test("a change may contain only the changed fields", () => {
  expect(addressChange.parse({})).toEqual({});
  expect(Object.keys(addressChange.parse({ city: "Brest" }))).toEqual(["city"]);
  expect(addressChange.safeParse({ city: "" }).success).toBe(false);
  expect(addressChange.safeParse({ street: null }).success).toBe(false);
});
