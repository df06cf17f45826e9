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
import { singleLine } from "@/lib/text-field";
import { REQUIRED, TURNS_DIRECTION, tooLong } from "@/lib/texts";
import { turnsDirection } from "@/lib/visible-text";

/**
 * The version that a form was filled in from. Where it is sent and another one is stored by now, the
 * save is refused (409); without it the last save wins.
 */
export const versionField = z
  .int()
  .nullish()
  .describe("La version lue ; si une autre est enregistrée depuis, l'écriture est refusée (409)");

/** Integer cents from 0; else an issue says what is wrong. */
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

/** An amount in euros, as number or text ("12,50"); gives integer cents from 0. */
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

/** Relations to items of one collection; each one counts once. */
export function relationsField({
  wrongType,
  ...relation
}: Relation & {
  /** What is said of a value that is no list. */
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
  /** What is said of a value that is no whole number, or is out of range. */
  wrong: string;
  /** Of an empty one. */
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

/** The same, or null; an empty text is null, too. */
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

/** An item as it was read: a product that has left the shop has no id. */
const hasNoId = (value: unknown) =>
  typeof value === "object" && value !== null && "id" in value && value.id === null;

/**
 * The lines of a cart or an order: products and how many of each. A line that is there already may
 * be named by its `id` instead of its product, which keeps one whose product has left the shop.
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

/** A line of a cart or an order as sent; `product` is null for one that is named by its id alone. */
export type ItemInput = z.output<ReturnType<typeof itemsField>>[number];

// Forms with one message for all missing fields ----------------------------------------------

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
        const refuse = (message: string) => rejectValue(context, value, message);
        if (typeof value !== "string") return refuse("Ce champ doit être un texte.");
        if ([...value.trim()].length > maxLength) return refuse(tooLong(maxLength));
        return turnsDirection(value) ? refuse(TURNS_DIRECTION) : singleLine(value);
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
