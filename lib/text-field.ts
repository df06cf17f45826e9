import { z } from "zod";
import { tooLong } from "@/lib/texts";
import { isBlank } from "@/lib/visible-text";

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
 * @param wrongType the sentence for a value that is no text
 */
export function textField({
  description,
  required,
  maxLength,
  clean = singleLine,
  wrongType,
}: {
  description: string;
  required?: string;
  maxLength: number;
  clean?: (text: string) => string;
  wrongType?: string;
}): z.ZodType<string, string> {
  const text = z
    .string(wrongType)
    .overwrite(clean)
    .superRefine((value, context) => {
      if (value === "" && required) context.addIssue({ code: "custom", message: required });
      if ([...value].length > maxLength)
        context.addIssue({ code: "custom", message: tooLong(maxLength) });
    });
  // Whatever is sent may be tried; only texts are good, which is what forms and documentation see.
  return z
    .preprocess((value) => value ?? "", text)
    .meta({ description, maxLength, ...(required && { minLength: 1 }) }) as unknown as z.ZodType<
    string,
    string
  >;
}
