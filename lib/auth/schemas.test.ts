import { expect, test } from "@playwright/test";
import type { z } from "zod";
import { newPasswordForm, registrationForm, registrationInput } from "@/lib/auth/schemas";
import { frenchIssue } from "@/lib/http/api/french-issues";

const STEM = "Le mot de passe doit contenir au moins";

/** Field and sentence of every problem, in order. */
function problemsOf(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input, { error: frenchIssue });
  return error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
}

const password = "Motdepasse-2026!";
const good = { nom: "Durand", lastname: "Zoé", email: "zoe@exemple.fr", password };
const goodForm = { ...good, confirmation: good.password };

test("a valid registration is kept as typed, except for surrounding spaces", () => {
  const kept = { email: "Zoe@exemple.fr", password: " Mot de-passe1" };
  const typed = { ...good, nom: " Durand ", ...kept, email: " Zoe@exemple.fr\n" };
  expect(registrationInput.parse(typed)).toEqual({ ...good, ...kept });
});

test("the form has the messages of the request, and that of the confirmation", () => {
  const bad = { ...good, nom: "Li", lastname: "Zo", email: "zoe", password: "abc" };
  const said = problemsOf(registrationInput, bad);
  expect(said).toEqual([
    "nom: Le nom doit contenir au moins 3 caractères",
    "lastname: Le prénom doit contenir au moins 3 caractères",
    "email: Veuillez saisir une adresse e-mail valide.",
    `password: ${STEM} 8 caractères`,
    `password: ${STEM} une lettre majuscule`,
    `password: ${STEM} un chiffre`,
    `password: ${STEM} un caractère spécial`,
  ]);
  expect(problemsOf(registrationForm, { ...bad, confirmation: "abc" })).toEqual(said);
  expect(problemsOf(registrationForm, { ...goodForm, confirmation: "Autre" })).toEqual([
    "confirmation: Les mots de passe ne correspondent pas",
  ]);
  expect(problemsOf(registrationForm, goodForm)).toEqual([]);
});

test("an incomplete form has one message for all fields", () => {
  for (const field of Object.keys(goodForm))
    expect(problemsOf(registrationForm, { ...goodForm, nom: "Li", [field]: "" })).toEqual([
      ": Tous les champs sont obligatoires",
    ]);
});

test("a new password is required, meets the criteria and is typed twice", () => {
  expect(problemsOf(newPasswordForm, { password: "", confirmation: "" })).toEqual([
    "password: Veuillez saisir un nouveau mot de passe",
  ]);
  expect(problemsOf(newPasswordForm, { password: "Aa1-", confirmation: "Aa1" })).toEqual([
    `password: ${STEM} 8 caractères`,
    "confirmation: Les mots de passe ne correspondent pas",
  ]);
  expect(problemsOf(newPasswordForm, { password, confirmation: password })).toEqual([]);
});
