import { expect, test } from "@playwright/test";
import { profileInput } from "@/lib/account/schemas";
import { frenchIssue } from "@/lib/http/api/french-issues";

const STEM = "Le mot de passe doit contenir au moins";

test("on the profile a name may be short, and the password may be left out", () => {
  expect(profileInput.parse({ nom: " Li ", lastname: "Bo", password: "" })).toEqual({
    nom: "Li",
    lastname: "Bo",
    password: "",
  });
  expect(profileInput.parse({})).toEqual({});
  expect(profileInput.parse({ password: null })).toEqual({ password: null });
});

test("names must not be empty, and a password must meet the criteria", () => {
  const bad = { nom: "", lastname: "  ", password: "Aa1" };
  const { error } = profileInput.safeParse(bad, { error: frenchIssue });
  expect(error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([
    ["nom", "Ce champ est obligatoire."],
    ["lastname", "Ce champ est obligatoire."],
    ["password", `${STEM} 8 caractères`],
    ["password", `${STEM} un caractère spécial`],
  ]);
});
