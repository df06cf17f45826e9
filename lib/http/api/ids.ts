import { z } from "zod";
import { rejectValue } from "@/lib/http/api/french-issues";
import { LARGEST_INT } from "@/lib/numbers";
import { REQUIRED } from "@/lib/text/texts";
import { isBlank } from "@/lib/text/visible-text";

/** The largest id: the keys are PostgreSQL's `integer`. */
export const MAX_ID = LARGEST_INT;

/** Reads an id written in digits; null for anything that no row can have. */
export function parseId(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_ID ? id : null;
}

/** An id in a path; one that no row can have is simply unknown (404). */
export const idParam = z
  .string()
  .transform((text, context) => parseId(text) ?? rejectValue(context, text, "Identifiant inconnu."))
  .meta({ type: "integer", minimum: 1, maximum: MAX_ID, description: "Identifiant" });

/** The path parameter of nearly every item: `/api/products/{id}`. */
export const idParams = z.object({ id: idParam });

/**
 * Reads a relation: `/api/products/7`, `7`, `"7"`, or the item itself as clients send it back, by its
 * `@id`, or by its `id` where they have read plain JSON. `paths` are the collections whose IRIs count
 * ("products", and "physical_products" where a kind has a path of its own).
 */
export function parseIri(value: unknown, ...paths: string[]): number | null {
  if (typeof value === "number")
    return Number.isInteger(value) && value >= 1 && value <= MAX_ID ? value : null;
  if (typeof value === "object" && value !== null) {
    if ("@id" in value)
      return typeof value["@id"] === "string" ? parseIri(value["@id"], ...paths) : null;
    return "id" in value && typeof value.id !== "object" ? parseIri(value.id, ...paths) : null;
  }
  if (typeof value !== "string") return null;
  const slash = value.lastIndexOf("/");
  if (slash === -1) return parseId(value.trim());
  const collection = value.slice(0, slash);
  return paths.some((path) => collection === `/api/${path}`)
    ? parseId(value.slice(slash + 1))
    : null;
}

// Relations in the body of a request.

/** Was nothing given? */
export const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === "string" && isBlank(value));

export interface Relation {
  collection: string;
  /** Further collections of the same items. */
  others?: readonly string[];
  description: string;
  /** What is said of a value that names no item. */
  wrong?: string;
}

/** The id of the item that an IRI, an id or the item itself names. */
export function readRelation(
  value: unknown,
  context: z.core.$RefinementCtx,
  { collection, others = [], wrong }: Relation,
): number {
  const usual = `Cette valeur doit être un identifiant ou une adresse /api/${collection}/{id}.`;
  return parseIri(value, collection, ...others) ?? rejectValue(context, value, wrong ?? usual);
}

export const relationMeta = ({ collection, description }: Relation) => ({
  type: ["string" as const, "integer" as const],
  examples: [`/api/${collection}/7`, 7],
  description: `${description} : adresse /api/${collection}/{id} ou identifiant`,
  relation: collection,
});

/** A relation, as IRI or id; gives the id. `required` is what is said of a missing one. */
export const relationField = ({
  required = REQUIRED,
  ...relation
}: Relation & { required?: string }) =>
  z
    .unknown()
    .transform((value, context) =>
      isEmpty(value)
        ? rejectValue(context, value, required)
        : readRelation(value, context, relation),
    )
    .meta(relationMeta(relation));
