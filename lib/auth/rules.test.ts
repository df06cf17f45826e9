import { expect, test } from "@playwright/test";
import { listPasswordProblems, passwordCriteria, passwordStrength } from "@/lib/auth/rules";

test("the criteria that a password meets are ticked off", () => {
  const met = passwordCriteria("aB1").filter(({ isMet }) => isMet);
  expect(met.map(({ label }) => label)).toEqual(["une majuscule", "une minuscule", "un chiffre"]);
  expect(passwordCriteria("aB1")).toHaveLength(5);
});

test("every missing criterion has its message, in order", () => {
  expect(listPasswordProblems("")).toEqual([
    "Le mot de passe doit contenir au moins 8 caractères",
    "Le mot de passe doit contenir au moins une lettre majuscule",
    "Le mot de passe doit contenir au moins une lettre minuscule",
    "Le mot de passe doit contenir au moins un chiffre",
    "Le mot de passe doit contenir au moins un caractère spécial",
  ]);
  for (const good of ["Admin-2026!", "Été à 20€"]) expect(listPasswordProblems(good)).toEqual([]);
});

test("an absurdly long one is refused", () => {
  expect(listPasswordProblems(`Aa1-${"x".repeat(196)}`)).toEqual([]);
  expect(listPasswordProblems(`Aa1-${"x".repeat(197)}`)).toEqual([
    "Le mot de passe doit contenir au plus 200 caractères",
  ]);
});

test("strength counts the criteria and ends at four", () => {
  expect(["", "a", "aA", "aA1", "aA1-", "aA1-aA1-"].map(passwordStrength)).toEqual([
    0, 1, 2, 3, 4, 4,
  ]);
});
