import type { ApiError } from "@/lib/api-error";
import type { Problem } from "@/lib/backoffice/rules";

// The problems of a form: from messages to react-hook-form's errors, and back.

/** An error of react-hook-form: of one field, or of the elements of a list. */
interface FormError {
  message?: unknown;
  /** All messages of the field, by kind. */
  types?: Readonly<Record<string, unknown>>;
}

/** All messages, each with the path of its field: "items.0.quantity". */
export function problemsOfErrors(errors: object, parent = ""): Problem[] {
  return Object.entries(errors).flatMap(([name, error]: [string, FormError | undefined]) => {
    if (typeof error !== "object" || error === null) return [];
    const field = parent ? `${parent}.${name}` : name;
    const { message, types = {} } = error;
    if (typeof message !== "string") return problemsOfErrors(error, field);
    const all = [...new Set([message, ...Object.values(types).flat()])];
    return all.flatMap((text) => (typeof text === "string" ? { field, message: text } : []));
  });
}

/** An error for each field with all its messages; `root` is the whole form. */
export function errorsOfProblems(problems: readonly Problem[]) {
  const messages = new Map<string, string[]>();
  for (const { field = "root", message } of problems)
    messages.set(field, [...(messages.get(field) ?? []), message]);
  return [...messages].map(([field, texts]) => ({
    field,
    error: { type: "form", message: texts[0] ?? "", types: { form: texts } },
  }));
}

// Small forms keep their messages by field name.

/** The key of the message about the whole form. */
export const FORM_KEY = "";

/** The API's messages by field; messages about other fields are kept under FORM_KEY. */
export function sentencesOf(
  { violations, sentence }: ApiError,
  { fields, failed }: { fields: RegExp; failed: string },
): Record<string, string> {
  if (violations.length === 0) return { [FORM_KEY]: sentence || failed };
  return Object.fromEntries(
    violations.map(({ propertyPath, message }) => [
      fields.test(propertyPath) ? propertyPath : FORM_KEY,
      message,
    ]),
  );
}
