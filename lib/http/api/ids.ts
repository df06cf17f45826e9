import { z } from "zod";
import { rejectValue } from "@/lib/http/api/french-issues";
import { LARGEST_INT } from "@/lib/numbers";
import { REQUIRED } from "@/lib/texts";

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

/** A relation in a request body, as IRI or id; gives the id. */
export function iriOrId(path: string, ...otherPaths: string[]) {
  return z
    .unknown()
    .transform((value, context) => {
      if (value === undefined || value === null || value === "")
        return rejectValue(context, value, REQUIRED);
      return (
        parseIri(value, path, ...otherPaths) ??
        rejectValue(
          context,
          value,
          `Cette valeur doit être un identifiant ou une adresse /api/${path}/{id}.`,
        )
      );
    })
    .meta({
      type: ["string", "integer"],
      examples: [`/api/${path}/7`, 7],
      description: `Adresse /api/${path}/{id} ou identifiant`,
      relation: path,
    });
}
