import { z } from "zod";
import { AMOUNT_RANGE } from "@/lib/backoffice/rules";
import {
  ALL_FIELDS_REQUIRED,
  amountTooLarge,
  NEGATIVE_AMOUNT,
  QUANTITY_TOO_LOW,
  WRONG_AMOUNT,
} from "@/lib/backoffice/texts";
import { rejectValue } from "@/lib/http/api/french-issues";
import { isEmpty, MAX_ID, type Relation, readRelation, relationMeta } from "@/lib/http/api/ids";
import { centsFromEuros, MAX_CENTS } from "@/lib/money";
import { LARGEST_INT } from "@/lib/numbers";
import { singleLine } from "@/lib/text/text-field";
import { HAS_BIDI_CONTROLS, REQUIRED, tooLong } from "@/lib/text/texts";
import { hasBidiControls } from "@/lib/text/visible-text";

/**
 * The version that a form was filled in from. If another version is stored when the form is saved, the save
 * is refused (409). Without this field the last save wins.
 */
export const versionField = z
  .int()
  .nullish()
  .describe("La version lue ; si une autre est enregistrée depuis, l'écriture est refusée (409)");

/** Parses an amount in euros to integer cents from 0; otherwise adds an issue. */
function readAmount(value: unknown, context: z.core.$RefinementCtx): number {
  const cents =
    typeof value === "number" || typeof value === "string" ? centsFromEuros(value) : null;
  if (cents !== null && cents >= 0 && cents <= MAX_CENTS) return cents;
  const message =
    cents === null ? WRONG_AMOUNT : cents < 0 ? NEGATIVE_AMOUNT : amountTooLarge(MAX_CENTS);
  return rejectValue(context, value, message);
}

const amountMeta = (description: string) => ({
  type: "number" as const,
  minimum: AMOUNT_RANGE.min,
  maximum: AMOUNT_RANGE.max,
  description,
});

/** An amount in euros, as number or text ("12,50"), parsed to integer cents from 0. */
export function amountField({ description, required }: { description: string; required: string }) {
  return z
    .unknown()
    .transform((value, context) =>
      value === undefined || value === null || value === ""
        ? rejectValue(context, value, required)
        : readAmount(value, context),
    )
    .meta(amountMeta(description));
}

/** Relations to items of one collection, without duplicates. */
export function relationsField({
  wrongType,
  ...relation
}: Relation & {
  /** The message for a value that is not a list. */
  wrongType: string;
}) {
  const { collection, description } = relation;
  const one = z.unknown().transform((value, context) => readRelation(value, context, relation));
  return z
    .array(one, wrongType)
    .max(1000)
    .transform((ids) => [...new Set(ids)])
    .meta({
      type: "array",
      items: { type: ["string", "integer"], examples: [`/api/${collection}/7`, 7] },
      description,
      relation: collection,
    });
}

interface IntegerOptions {
  min: number;
  max?: number;
  description: string;
  /** The message for a value that is not a whole number, or out of range. */
  wrong: string;
  /** The message for an empty value. */
  required?: string;
  tooLarge?: string;
}

function readInteger(
  value: unknown,
  context: z.core.$RefinementCtx,
  { min, max = LARGEST_INT, wrong, required = wrong, tooLarge = wrong }: IntegerOptions,
): number {
  const number = typeof value === "string" && /^\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number) || number < min)
    return rejectValue(context, value, isEmpty(value) ? required : wrong);
  return number > max ? rejectValue(context, value, tooLarge) : number;
}

const integerMeta = ({ min, max = LARGEST_INT, description }: IntegerOptions) => ({
  minimum: min,
  maximum: max,
  description,
});

/** A whole number, as number or digits. */
export const integerField = (options: IntegerOptions) =>
  z
    .unknown()
    .transform((value, context) => readInteger(value, context, options))
    .meta({ type: "integer", ...integerMeta(options) });

/** A whole number or null; an empty text gives null. */
export const nullableIntegerField = (options: IntegerOptions) =>
  z
    .unknown()
    .transform((value, context) =>
      value === null || value === "" ? null : readInteger(value, context, options),
    )
    .meta({ type: ["integer", "null"], ...integerMeta(options) });

/** Pieces, as number or digits. */
export const quantityField = ({ max }: { max: number }) =>
  integerField({
    min: 1,
    max,
    description: "Nombre de pièces",
    wrong: QUANTITY_TOO_LOW,
    tooLarge: `La quantité ne peut pas dépasser ${max} par produit.`,
  });

const SOLD_PRODUCT: Relation = {
  collection: "products",
  others: ["physical_products", "digital_products"],
  description: "Produit",
};

/** Whether a product is sent as the API returns a deleted one: without an id. */
const hasNoId = (value: unknown) =>
  typeof value === "object" && value !== null && "id" in value && value.id === null;

/**
 * The lines of a cart or an order: products and quantities. An existing line may be identified by its `id`
 * instead of its product, so that a line of a deleted product can be kept.
 */
export function itemsField({ max, maxItems }: { max: number; maxItems: number }) {
  const item = z
    .object({
      id: z.int().max(MAX_ID).nullish().describe("Identifiant d'un article qui reste"),
      product: z
        .unknown()
        .optional()
        .transform((value, context) =>
          isEmpty(value) || hasNoId(value) ? null : readRelation(value, context, SOLD_PRODUCT),
        )
        .meta(relationMeta(SOLD_PRODUCT)),
      quantity: quantityField({ max }),
    })
    .superRefine(({ id, product }, context) => {
      if (product === null && !id)
        context.addIssue({ code: "custom", path: ["product"], message: REQUIRED });
    });
  return z.array(item).max(maxItems).describe("Les produits et leurs quantités");
}

/** A line of a cart or an order as sent; `product` is null for a line identified only by its id. */
export type ItemInput = z.output<ReturnType<typeof itemsField>>[number];

// Forms with one message for all missing fields ----------------------------------------------

/** The output of `requiredFieldsForm`: fields that are null when empty are never null in a valid form. */
type Filled<T> = { [K in keyof T]: Exclude<T[K], null> };

/**
 * A form with one message for all empty fields: its fields must parse an empty value to null. Fields in
 * `optional` may be empty. In a `whole` form a field that is not sent counts as empty.
 */
export function requiredFieldsForm<S extends z.ZodRawShape, O extends keyof S & string = never>(
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

/** Fields for `requiredFieldsForm`: an empty value gives null. */
export const fillable = {
  text: ({ description, maxLength }: { description: string; maxLength: number }) =>
    z
      .unknown()
      .transform((value, context): string | null => {
        if (isEmpty(value)) return null;
        const refuse = (message: string) => rejectValue(context, value, message);
        if (typeof value !== "string") return refuse("Ce champ doit être un texte.");
        if ([...value.trim()].length > maxLength) return refuse(tooLong(maxLength));
        return hasBidiControls(value) ? refuse(HAS_BIDI_CONTROLS) : singleLine(value);
      })
      .meta({ type: "string", minLength: 1, maxLength, description }),
  amount: ({ description }: { description: string }) =>
    z
      .unknown()
      .transform((value, context) => (isEmpty(value) ? null : readAmount(value, context)))
      .meta(amountMeta(description)),
  relation: (relation: Relation) =>
    z
      .unknown()
      .transform((value, context) =>
        isEmpty(value) ? null : readRelation(value, context, relation),
      )
      .meta(relationMeta(relation)),
};
