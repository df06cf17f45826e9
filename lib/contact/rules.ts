// The validation of the form and of the request, in plain functions. schemas.ts makes the request's schema
// from them: in the browser even zod/mini would weigh more (5 kB compressed) than the whole form (3 kB).

import { canonicalEmail, EMAIL_MAX_LENGTH, isEmail } from "@/lib/text/email";
import { HAS_BIDI_CONTROLS, REQUIRED, tooLong, WRONG_EMAIL } from "@/lib/text/texts";
import { hasBidiControls, isBlank } from "@/lib/text/visible-text";

/** The payload's fields, in the order of the form. */
export const CONTACT_FIELDS = ["nom", "email", "message"] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
export type ContactInput = Record<ContactField, string>;

/** The maximum length of each field, in characters. */
export const CONTACT_LIMITS: Record<ContactField, number> = {
  nom: 100,
  email: EMAIL_MAX_LENGTH,
  message: 5000,
};

/** Cleans a field for storage: trimmed, the name on one line, with one kind of line break. */
export function cleanContactField(field: ContactField, value: string): string {
  if (isBlank(value)) return "";
  if (field === "nom") return value.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const text = value.replace(/\r\n?/g, "\n").trim();
  return field === "email" ? canonicalEmail(text) : text;
}

/** The sentence about an invalid field, which is cleaned already; null for a valid one. */
export function contactProblem(field: ContactField, value: string): string | null {
  if (value === "") return REQUIRED;
  const limit = CONTACT_LIMITS[field];
  if ([...value].length > limit) return tooLong(limit);
  if (field === "email" && !isEmail(value)) return WRONG_EMAIL;
  if (field === "nom" && hasBidiControls(value)) return HAS_BIDI_CONTROLS;
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
