import { expect, test } from "@playwright/test";
import type { z } from "zod";
import {
  newPasswordForm,
  registrationForm,
  registrationInput,
  resetRequestInput,
} from "@/lib/auth/schemas";
import { frenchIssue } from "@/lib/http/api/french-issues";

const STEM = "Le mot de passe doit contenir au moins";

/** Field and sentence of every problem, in order. */
function problemsOf(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input, { error: frenchIssue });
  return error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
}

const good = {
  nom: "Durand",
  lastname: "Zoé",
  email: "zoe@exemple.fr",
  password: "Motdepasse-2026!",
};
const goodForm = { ...good, confirmation: good.password };

test("a valid registration is kept as typed, except for surrounding spaces", () => {
  const typed = {
    ...good,
    nom: " Durand ",
    email: " Zoe@exemple.fr\n",
    password: " Mot de-passe1",
  };
  expect(registrationInput.parse(typed)).toEqual({
    ...good,
    email: "Zoe@exemple.fr",
    password: " Mot de-passe1",
  });
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
  const { password } = good;
  expect(problemsOf(newPasswordForm, { password, confirmation: password })).toEqual([]);
});

test("a reset requires an e-mail address", () => {
  for (const email of ["", "zoe", undefined])
    expect(problemsOf(resetRequestInput, { email })).toEqual([
      "email: Veuillez saisir votre adresse e-mail",
    ]);
  expect(resetRequestInput.parse({ email: " zoe@exemple.fr " })).toEqual({
    email: "zoe@exemple.fr",
  });
});
