// Runs in the browser and on the server: the form and the request are checked by the same lines.
// Plain functions, out of which schemas.ts makes the request's schema: even zod/mini would weigh more
// in the browser (5 kB compressed) than the whole form (3 kB).

import { EMAIL_MAX_LENGTH, isEmail } from "@/lib/email";

/** The payload's fields, in the order of the form. */
export const CONTACT_FIELDS = ["nom", "email", "message"] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
export type ContactInput = Record<ContactField, string>;

/** Characters that a field may have. */
export const CONTACT_LIMITS: Record<ContactField, number> = {
  nom: 100,
  email: EMAIL_MAX_LENGTH,
  message: 5000,
};

const REQUIRED = "Ce champ est obligatoire.";
const WRONG_EMAIL = "Veuillez saisir une adresse e-mail valide.";

/** A field as it is kept: trimmed, on one line where it has only one, with one kind of line break. */
export function cleanContactField(field: ContactField, value: string): string {
  if (field === "nom") return value.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return value.replace(/\r\n?/g, "\n").trim();
}

/** The sentence about a clean field; null where nothing is wrong with it. */
export function contactProblem(field: ContactField, value: string): string | null {
  if (value === "") return REQUIRED;
  const limit = CONTACT_LIMITS[field];
  if (value.length > limit) return `Ce champ doit contenir au plus ${limit} caractères.`;
  if (field === "email" && !isEmail(value)) return WRONG_EMAIL;
  return null;
}

/** Every problem of a form, by field. Empty when it can be sent. */
export function contactProblems(input: ContactInput): Partial<ContactInput> {
  const problems: Partial<ContactInput> = {};
  for (const field of CONTACT_FIELDS) {
    const problem = contactProblem(field, cleanContactField(field, input[field]));
    if (problem !== null) problems[field] = problem;
  }
  return problems;
}
