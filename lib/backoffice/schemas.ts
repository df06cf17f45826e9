import { z } from "zod";
import { ALL_FIELDS_REQUIRED, QUANTITY_TOO_LOW, WRONG_AMOUNT } from "@/lib/backoffice/texts";
import { parseIri } from "@/lib/http/ids";
import { centsFromEuros, MAX_CENTS } from "@/lib/money";
import { REQUIRED } from "@/lib/text-field";

/**
 * The version that a form was filled in from. Where it is sent and another one is stored by now, the
 * save is refused (409); without it the last save wins.
 */
export const versionField = z
  .int()
  .nullish()
  .describe("La version lue ; si une autre est enregistrée depuis, l'écriture est refusée (409)");

/** An amount in euros, as number or text ("12,50"); gives integer cents from 0. */
export function amountField({ description, required }: { description: string; required: string }) {
  return z
    .unknown()
    .transform((value, context) => {
      const isEmpty = value === undefined || value === null || value === "";
      const cents =
        typeof value === "number" || typeof value === "string" ? centsFromEuros(value) : null;
      if (!isEmpty && cents !== null && cents >= 0 && cents <= MAX_CENTS) return cents;
      context.issues.push({
        code: "custom",
        input: value,
        message: isEmpty ? required : WRONG_AMOUNT,
      });
      return z.NEVER;
    })
    .meta({ type: "number", minimum: 0, description });
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** A relation that says in a sentence of its own that it is missing; gives the id. */
export function relationField({
  collection,
  description,
  required,
}: {
  collection: string;
  description: string;
  required: string;
}) {
  return z
    .unknown()
    .transform((value, context) => {
      const id = parseIri(value, collection);
      if (id !== null) return id;
      const message = isEmpty(value) ? required : wrongRelation(collection);
      context.issues.push({ code: "custom", input: value, message });
      return z.NEVER;
    })
    .meta(relationMeta({ collection, description }));
}

const wrongRelation = (collection: string) =>
  `Cette valeur doit être un identifiant ou une adresse /api/${collection}/{id}.`;

const relationMeta = ({
  collection,
  description,
}: {
  collection: string;
  description: string;
}) => ({
  type: ["string" as const, "integer" as const],
  examples: [`/api/${collection}/7`, 7],
  description: `${description} : adresse /api/${collection}/{id} ou identifiant`,
  relation: collection,
});

/** Pieces, as number or digits. */
function quantityField({ most }: { most: number }) {
  return z
    .unknown()
    .transform((value, context) => {
      const count = typeof value === "string" && /^\d+$/.test(value.trim()) ? Number(value) : value;
      if (typeof count === "number" && Number.isInteger(count) && count >= 1 && count <= most)
        return count;
      const message =
        typeof count === "number" && count > most
          ? `La quantité ne peut pas dépasser ${most} par produit.`
          : QUANTITY_TOO_LOW;
      context.issues.push({ code: "custom", input: value, message });
      return z.NEVER;
    })
    .meta({ type: "integer", minimum: 1, maximum: most, description: "Nombre de pièces" });
}

/**
 * The lines of a cart or an order: products and how many of each. A line that is there already may
 * be named by its `id` instead of its product, which keeps one whose product has left the shop.
 */
export function itemsField({ most, mostItems }: { most: number; mostItems: number }) {
  const item = z
    .object({
      id: z.int().nullish().describe("Identifiant d'un article qui reste"),
      product: z
        .unknown()
        .transform((value, context) => {
          // An item as it was read: a product that has left the shop has no id.
          const hasNoId =
            typeof value === "object" && value !== null && "id" in value && value.id === null;
          if (isEmpty(value) || hasNoId) return null;
          const inner =
            typeof value === "object" && value !== null && "id" in value && !("@id" in value)
              ? value.id
              : value;
          const id = parseIri(inner, "products", "physical_products", "digital_products");
          if (id !== null) return id;
          const message = wrongRelation("products");
          context.issues.push({ code: "custom", input: value, message });
          return z.NEVER;
        })
        .meta(relationMeta({ collection: "products", description: "Produit" })),
      quantity: quantityField({ most }),
    })
    .superRefine(({ id, product }, context) => {
      if (product === null && !id)
        context.addIssue({ code: "custom", path: ["product"], message: REQUIRED });
    });
  return z.array(item).max(mostItems).describe("Les produits et leurs quantités");
}

/** A line of a cart or an order as sent. */
export interface ItemInput {
  id?: number | null | undefined;
  /** Null for a line that is named by its id alone. */
  product: number | null;
  quantity: number;
}

// Forms that say one sentence for whatever is missing ----------------------------------------------

/** Of several fields each may be null, for missing; the form then says so once. */
type Filled<T> = { [K in keyof T]: Exclude<T[K], null> };

/**
 * A form whose every field must be filled, or else it says so in one sentence for all: its fields
 * give null where they are empty. `optional` names those that may be. In a `whole` form a field that
 * is not sent is an empty one, too.
 */
export function filledForm<S extends z.ZodRawShape, O extends keyof S & string = never>(
  shape: S,
  { optional = [], whole }: { optional?: readonly O[]; whole: boolean },
) {
  type Output = z.output<z.ZodObject<S>>;
  const form = z
    .object(shape)
    .superRefine((values, context) => {
      const isIncomplete = Object.entries(values).some(
        ([field, value]) => value === null && !optional.includes(field as O),
      );
      if (isIncomplete) context.addIssue({ code: "custom", message: ALL_FIELDS_REQUIRED });
    })
    .transform((values) => values as Filled<Omit<Output, O>> & Pick<Output, O & keyof Output>);
  const empty = Object.fromEntries(
    whole ? Object.keys(shape).map((field) => [field, null] as const) : [],
  );
  return z.preprocess((sent) => ({ ...empty, ...(sent as object) }), form);
}

/** Fields for `filledForm`: null where they are empty. */
export const fillable = {
  text: ({ description, maxLength }: { description: string; maxLength: number }) =>
    z
      .unknown()
      .transform((value, context): string | null => {
        if (isEmpty(value)) return null;
        if (typeof value === "string" && [...value.trim()].length <= maxLength)
          return value.replace(/[\s\p{Cc}]+/gu, " ").trim();
        const message =
          typeof value === "string"
            ? `Ce champ doit contenir au plus ${maxLength} caractères.`
            : "Ce champ doit être un texte.";
        context.issues.push({ code: "custom", input: value, message });
        return z.NEVER;
      })
      .meta({ type: "string", minLength: 1, maxLength, description }),
  amount: ({ description }: { description: string }) =>
    z
      .unknown()
      .transform((value, context): number | null => {
        if (isEmpty(value)) return null;
        const cents =
          typeof value === "number" || typeof value === "string" ? centsFromEuros(value) : null;
        if (cents !== null && cents >= 0 && cents <= MAX_CENTS) return cents;
        context.issues.push({ code: "custom", input: value, message: WRONG_AMOUNT });
        return z.NEVER;
      })
      .meta({ type: "number", minimum: 0, description }),
  /** `others` are further collections of the same items. */
  relation: ({
    collection,
    description,
    others = [],
  }: {
    collection: string;
    description: string;
    others?: readonly string[];
  }) =>
    z
      .unknown()
      .transform((value, context): number | null => {
        if (isEmpty(value)) return null;
        const id = parseIri(value, collection, ...others);
        if (id !== null) return id;
        const message = wrongRelation(collection);
        context.issues.push({ code: "custom", input: value, message });
        return z.NEVER;
      })
      .meta(relationMeta({ collection, description })),
};
