import { z } from "zod";
import { HAS_BIDI_CONTROLS, tooLong } from "@/lib/text/texts";
import { hasBidiControls, isBlank } from "@/lib/text/visible-text";

/** Cleans a text to one line: no control characters, single spaces, trimmed; empty if nothing is visible. */
export function singleLine(text: string): string {
  return isBlank(text) ? "" : text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/**
 * A text field of a form or a request. A missing field counts as empty, so that both get the same sentence.
 *
 * @param required the sentence for an empty field; without it an empty text is allowed
 * @param maxLength characters after cleaning
 * @param clean normalizes the text; by default to one line
 * @param allowsBidiControls may the text have controls of the writing direction? Texts of several lines and
 *   secrets may. A single line must not change how its neighbours read
 * @param wrongType the sentence for a value that is no text
 */
export function textField({
  description,
  required,
  maxLength,
  clean = singleLine,
  allowsBidiControls = false,
  wrongType,
}: {
  description: string;
  required?: string;
  maxLength: number;
  clean?: (text: string) => string;
  allowsBidiControls?: boolean;
  wrongType?: string;
}): z.ZodType<string, string> {
  const text = z
    .string(wrongType)
    .overwrite(clean)
    .superRefine((value, context) => {
      if (value === "" && required) context.addIssue({ code: "custom", message: required });
      if ([...value].length > maxLength)
        context.addIssue({ code: "custom", message: tooLong(maxLength) });
      if (!allowsBidiControls && hasBidiControls(value))
        context.addIssue({ code: "custom", message: HAS_BIDI_CONTROLS });
    });
  // The schema accepts any input. Forms and documentation see the type of valid input: a text.
  return z
    .preprocess((value) => value ?? "", text)
    .meta({ description, maxLength, ...(required && { minLength: 1 }) }) as unknown as z.ZodType<
    string,
    string
  >;
}
