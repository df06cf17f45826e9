import { z } from "zod";
import { TURNS_DIRECTION, tooLong } from "@/lib/texts";
import { isBlank, turnsDirection } from "@/lib/visible-text";

/** One line: no control characters, single spaces, none at the ends; empty where nothing shows. */
export function singleLine(text: string): string {
  return isBlank(text) ? "" : text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/**
 * A text field of a form or a request. One that is not sent is an empty one, so that the same
 * sentence answers both.
 *
 * @param required the sentence for an empty one; without it an empty text is allowed
 * @param maxLength characters after cleaning
 * @param clean normalizes the text; by default to one line
 * @param takesAnyDirection may it have controls of the direction of writing? A text of several lines and a
 *   secret may; one line beside others must not change how those read
 * @param wrongType the sentence for a value that is no text
 */
export function textField({
  description,
  required,
  maxLength,
  clean = singleLine,
  takesAnyDirection = false,
  wrongType,
}: {
  description: string;
  required?: string;
  maxLength: number;
  clean?: (text: string) => string;
  takesAnyDirection?: boolean;
  wrongType?: string;
}): z.ZodType<string, string> {
  const text = z
    .string(wrongType)
    .overwrite(clean)
    .superRefine((value, context) => {
      if (value === "" && required) context.addIssue({ code: "custom", message: required });
      if ([...value].length > maxLength)
        context.addIssue({ code: "custom", message: tooLong(maxLength) });
      if (!takesAnyDirection && turnsDirection(value))
        context.addIssue({ code: "custom", message: TURNS_DIRECTION });
    });
  // Whatever is sent may be tried; only texts are good, which is what forms and documentation see.
  return z
    .preprocess((value) => value ?? "", text)
    .meta({ description, maxLength, ...(required && { minLength: 1 }) }) as unknown as z.ZodType<
    string,
    string
  >;
}
