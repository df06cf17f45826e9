import { z } from "zod";

/** What a required field says when it is empty, where the specification gives no sentence. */
export const REQUIRED = "Ce champ est obligatoire.";

/** One line: no control characters, single spaces, none at the ends. */
export function singleLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/**
 * A text field of a form or a request. One that is not sent is an empty one, so that the same
 * sentence answers both.
 *
 * @param required what an empty one says; without it an empty text is allowed
 * @param maxLength characters after cleaning
 * @param clean how the text is kept; on one line, if not given
 */
export function textField({
  description,
  required,
  maxLength,
  clean = singleLine,
}: {
  description: string;
  required?: string;
  maxLength: number;
  clean?: (text: string) => string;
}): z.ZodType<string, string> {
  const text = z
    .string()
    .overwrite(clean)
    .superRefine((value, context) => {
      if (value === "" && required) context.addIssue({ code: "custom", message: required });
      if ([...value].length > maxLength)
        context.addIssue({
          code: "custom",
          message: `Ce champ doit contenir au plus ${maxLength} caractères.`,
        });
    });
  // Whatever is sent may be tried; only texts are good, which is what forms and documentation see.
  return z
    .preprocess((value) => value ?? "", text)
    .meta({ description, maxLength, ...(required && { minLength: 1 }) }) as unknown as z.ZodType<
    string,
    string
  >;
}
