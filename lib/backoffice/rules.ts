import type { ApiError } from "@/lib/api-client";
import { centsFromEuros, formatEuros } from "@/lib/money";

// What the forms of the back office say about a save that failed, and what they compare when two
// people have changed the same object. Pure.

/** Something wrong with a form; `field` where one field is concerned. */
export interface Problem {
  field?: string;
  message: string;
}

type Refusal = Pick<ApiError, "status" | "body" | "violations">;

/**
 * Why a save failed, in the specification's order: the answer's own field `error` (where `hasError`
 * says that this screen looks at it), the violations, `hydra:description`, the screen's sentence. A
 * fault of the shop or the connection has nothing to say but the screen's sentence.
 */
export function problemsOfSave({
  error,
  fallback,
  hasError = false,
}: {
  error: Refusal;
  fallback: string;
  hasError?: boolean;
}): Problem[] {
  const { status, violations } = error;
  const body = bodyOf(error);
  if (status === 0 || status >= 500) return [{ message: fallback }];
  const description = textOf(body["hydra:description"]);
  const own = textOf(body.error);
  // The shop's own answers repeat there what the violations or the description say.
  if (hasError && own && own !== description) return [{ message: own }];
  if (violations.length > 0)
    return violations.map(({ propertyPath, message }) => ({
      message,
      ...(propertyPath && { field: propertyPath }),
    }));
  return [{ message: description || fallback }];
}

/** The object as it is now, where a save was refused because somebody else had changed it. */
export function currentOf<Row>({ status, body }: Refusal): Row | null {
  const { current } = bodyOf({ body });
  return status === 409 && typeof current === "object" && current !== null
    ? (current as Row)
    : null;
}

const bodyOf = ({ body }: Pick<Refusal, "body">) =>
  (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Fields that hold euros, as a number or as it was typed. */
const AMOUNTS: ReadonlySet<string> = new Set(["price", "total", "totalAmount"]);

/** What an amount is read as: a browser may pass over the comma of somebody who writes another language. */
export function amountHint(typed: string): string | undefined {
  const cents = typed === "" ? null : centsFromEuros(typed);
  return cents === null ? undefined : `Soit ${formatEuros(cents)}`;
}

/** A field's value as people read it: an option by its label, a list item by item. */
export function describeValue(value: unknown, field = ""): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "Oui" : "Non";
  if (Array.isArray(value))
    return value.length === 0 ? "–" : value.map((item) => describeValue(item, field)).join(", ");
  if (typeof value !== "object") {
    const cents = AMOUNTS.has(field) ? centsFromEuros(String(value)) : null;
    if (cents !== null) return formatEuros(cents);
    return typeof value === "number" ? String(value).replace(".", ",") : String(value);
  }
  if ("label" in value) return String(value.label);
  if ("id" in value && "name" in value)
    return "lastname" in value ? `${value.name} ${value.lastname}` : String(value.name);
  const parts = Object.entries(value).filter(([key]) => !/^(key|id|version|@.*)$/.test(key));
  return parts.map(([key, part]) => `${key}\u00a0: ${describeValue(part, key)}`).join(", ");
}

/** The fields in which two versions of a form differ, as people read them. */
export function differencesOf({
  mine,
  theirs,
  labels,
}: {
  mine: object;
  theirs: object;
  /** The form's fields and what they are called. */
  labels: Readonly<Record<string, string>>;
}): { field: string; label: string; mine: string; theirs: string }[] {
  const value = (version: object, field: string) =>
    describeValue((version as Record<string, unknown>)[field], field);
  return Object.entries(labels).flatMap(([field, label]) => {
    const both = { mine: value(mine, field), theirs: value(theirs, field) };
    return both.mine === both.theirs ? [] : [{ field, label, ...both }];
  });
}
