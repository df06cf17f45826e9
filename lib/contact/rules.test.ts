import { expect, test } from "@playwright/test";
import { cleanContactField, contactProblem, contactProblems } from "@/lib/contact/rules";
import { contactInput } from "@/lib/contact/schemas";

const REQUIRED = "Ce champ est obligatoire.";
const WRONG_EMAIL = "Veuillez saisir une adresse e-mail valide.";
const good = { nom: "Camille", email: "camille@exemple.fr", message: "Bonjour" };

test("every field is required, and blank is empty", () => {
  expect(contactProblems({ nom: "", email: " ", message: "\n\t " })).toEqual({
    nom: REQUIRED,
    email: REQUIRED,
    message: REQUIRED,
  });
  expect(contactProblems({ ...good, nom: "\u200b", message: "\u2060\n" })).toEqual({
    nom: REQUIRED,
    message: REQUIRED,
  });
  expect(contactProblems(good)).toEqual({});
});

test("a name must not contain bidirectional control characters", () => {
  expect(contactProblems({ ...good, nom: "Cam\u202eille", message: "\u202bتونس\u202c" })).toEqual({
    nom: "Ce texte contient un caractère invisible qui change le sens de lecture. Effacez-le, puis saisissez-le de nouveau.",
  });
});

test("an e-mail address has a name and a domain, without spaces, breaks or a second address", () => {
  for (const email of [
    "camille@exemple.fr",
    "camille.dupre+boutique@mail.exemple.co.uk",
    "o'brien@exemple.fr",
    "a@b.museum",
    "jean@société.fr",
    "jean@xn--socit-esab.fr",
    "jean@exemple.xn--p1ai",
    `${"a".repeat(64)}@exemple.fr`,
  ])
    expect(contactProblem("email", email), email).toBeNull();
  for (const email of [
    "camille",
    "camille@",
    "@exemple.fr",
    "camille@exemple",
    "camille@exemple.",
    "camille@.fr",
    "camille@-exemple.fr",
    "camille@exemple-.fr",
    "camille@@exemple.fr",
    "camille dupre@exemple.fr",
    ".camille@exemple.fr",
    "camille.@exemple.fr",
    "cam..ille@exemple.fr",
    "camille@exemple.fr, eve@exemple.fr",
    "Camille <camille@exemple.fr>",
    "camille@exemple.fr\r\nBcc: tous@exemple.fr",
    "camille@127.0.0.1",
    "camille@exemple.f",
  ])
    expect(contactProblem("email", email), email).toBe(WRONG_EMAIL);
});

test("an address is stored in one Unicode form", () => {
  const email = "jean@société.fr".normalize("NFD");
  expect(contactProblems({ ...good, email })).toEqual({});
  expect(contactInput.parse({ ...good, email }).email).toBe("jean@xn--socit-esab.fr");
});

test("messages about length limits name the limit, and come before others", () => {
  for (const [field, limit] of [
    ["nom", 100],
    ["email", 254],
    ["message", 5000],
  ] as const)
    expect(contactProblem(field, "a".repeat(limit + 1))).toBe(
      `Ce champ doit contenir au plus ${limit} caractères.`,
    );
  // An emoji counts as one character.
  const longest = { nom: "a".repeat(100), email: good.email, message: "🙂".repeat(5000) };
  expect(contactProblems(longest)).toEqual({});
});

test("line breaks are those of Unix in a message, and removed from a name", () => {
  expect(cleanContactField("message", " a\r\nb\rc\n ")).toBe("a\nb\nc");
  expect(cleanContactField("nom", " Camille\r\nBcc:\u0007 x\u00a0y ")).toBe("Camille Bcc: x y");
});

test("the request is validated by the same rules as the form", () => {
  const bad = { nom: "", email: "camille", message: "a".repeat(5001) };
  const { error } = contactInput.safeParse(bad);
  const byField = Object.fromEntries(
    (error?.issues ?? []).map(({ path, message }) => [path.join("."), message]),
  );
  expect(byField).toEqual(contactProblems(bad));
  expect(contactInput.parse({ ...good, nom: " Camille\n", email: " camille@exemple.fr " })).toEqual(
    good,
  );
});
