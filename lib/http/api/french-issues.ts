import { z } from "zod";
import type { Violation } from "@/lib/errors/failure";
import { REQUIRED } from "@/lib/text/texts";

type Issue = z.core.$ZodRawIssue;

const EXPECTED: Record<string, string> = {
  string: "Ce champ doit être un texte.",
  number: "Ce champ doit être un nombre.",
  int: "Ce champ doit être un nombre entier.",
  boolean: "Ce champ doit être vrai ou faux.",
  array: "Ce champ doit être une liste.",
  object: "Ce champ doit être un objet.",
  record: "Ce champ doit être un objet.",
};

/**
 * French sentences for what zod finds, where a schema names none itself. Give it to `parse` as
 * `{ error: frenchIssue }`.
 */
export function frenchIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined || issue.input === null) return REQUIRED;
      return EXPECTED[issue.expected] ?? "Cette valeur n'est pas valable.";
    case "invalid_value":
      return issue.input === undefined
        ? REQUIRED
        : `Cette valeur n'est pas permise. Valeurs permises : ${issue.values.map(String).join(", ")}.`;
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case "too_big":
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case "invalid_format":
      return issue.format === "email"
        ? "Cette adresse e-mail n'est pas valide."
        : "Ce texte n'a pas la forme attendue.";
    default:
      return issue.input === undefined ? REQUIRED : "Cette valeur n'est pas valable.";
  }
}

const UNITS: Record<string, string> = {
  string: "caractères",
  array: "éléments",
  set: "éléments",
};

function tooSmall(origin: string, minimum: number, inclusive: boolean): string {
  const least = formatNumber(minimum);
  const unit = UNITS[origin];
  if (unit) return minimum <= 1 ? REQUIRED : `Ce champ doit contenir au moins ${least} ${unit}.`;
  return `Ce nombre doit être ${inclusive ? "au moins" : "supérieur à"} ${least}.`;
}

function tooBig(origin: string, maximum: number, inclusive: boolean): string {
  const most = formatNumber(maximum);
  const unit = UNITS[origin];
  if (unit) return `Ce champ doit contenir au plus ${most} ${unit}.`;
  return `Ce nombre doit être ${inclusive ? "au plus" : "inférieur à"} ${most}.`;
}

/** Without separators for thousands. */
function formatNumber(value: number): string {
  return String(value).replace(".", ",");
}

/** Reports what is wrong with a value, in a transformation that is to give another one. */
export function rejectValue(context: z.core.$RefinementCtx, input: unknown, message: string) {
  context.issues.push({ code: "custom", input, message });
  return z.NEVER;
}

/** A path as API Platform writes it: `items[0].product`. */
function propertyPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? String(part) : `.${String(part)}`;
  }
  return text;
}

/** What zod found, as violations; the same sentence about the same field only once. */
export function toViolations(issues: readonly z.core.$ZodIssue[]): Violation[] {
  const violations = issues.map(({ path, message }) => ({
    propertyPath: propertyPath(path),
    message,
  }));
  return [...new Map(violations.map((each) => [JSON.stringify(each), each])).values()];
}
