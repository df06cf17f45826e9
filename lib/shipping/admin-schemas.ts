import { z } from "zod";
import { listFields, sortable, yesOrNo } from "@/lib/backoffice/list-query";
import { amountField, versionField } from "@/lib/backoffice/schemas";
import { rejectValue } from "@/lib/http/api/french-issues";
import { MAX_CENTS } from "@/lib/money";
import { textField } from "@/lib/text-field";
import { REQUIRED } from "@/lib/texts";
import { SAME_WEIGHT, tooManyBands, WRONG_BANDS, WRONG_ORDER, WRONG_WEIGHT } from "./texts";

/** Bands of one method. */
const MAX_BANDS = 20;

/** The largest number of grams, and place among the methods, that the database holds. */
const MAX_INT = MAX_CENTS;

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";

/** A whole number, also as digits. */
function wholeNumber({
  min,
  wrong,
  description,
}: {
  min: number;
  wrong: string;
  description: string;
}) {
  return z
    .unknown()
    .transform((value, context) => {
      const number =
        typeof value === "string" && /^\d+$/.test(value.trim()) ? Number(value) : value;
      const isGood =
        typeof number === "number" &&
        Number.isInteger(number) &&
        number >= min &&
        number <= MAX_INT;
      return isGood ? number : rejectValue(context, value, isEmpty(value) ? REQUIRED : wrong);
    })
    .meta({ type: "integer", minimum: min, description });
}

const band = z
  .object({
    maxWeight: wholeNumber({
      min: 1,
      wrong: WRONG_WEIGHT,
      description: "Poids maximal du colis en grammes, compris",
    }),
    price: amountField({ description: "Prix en euros, TVA comprise", required: REQUIRED }),
  })
  .transform(({ maxWeight, price }) => ({ maxGrams: maxWeight, priceCents: price }));

const bands = z
  .preprocess(
    (value) => value ?? [],
    z.array(band, WRONG_BANDS).max(MAX_BANDS, tooManyBands(MAX_BANDS)),
  )
  .superRefine((all, context) => {
    const isTwice = new Set(all.map(({ maxGrams }) => maxGrams)).size < all.length;
    if (isTwice) context.addIssue({ code: "custom", message: SAME_WEIGHT });
  })
  .transform((all) => all.toSorted((a, b) => a.maxGrams - b.maxGrams))
  .meta({
    type: "array",
    description:
      "Tranches de poids, qui remplacent le prix ; un colis plus lourd que la dernière est refusé",
  });

/** Euros; empty is none. */
const freeFrom = z
  .preprocess(
    (value) => (isEmpty(value) ? null : value),
    amountField({ description: "Montant", required: REQUIRED }).nullable(),
  )
  .meta({
    type: ["number", "null"],
    minimum: 0,
    description: "Valeur des objets en euros à partir de laquelle la livraison est offerte",
  });

const fields = {
  name: textField({ description: "Nom", required: REQUIRED, maxLength: 100 }),
  price: amountField({
    description: "Prix en euros, TVA comprise ; sans effet s'il y a des tranches de poids",
    required: REQUIRED,
  }),
  freeFrom,
  delay: textField({ description: "Délai, comme « 2 à 3 jours ouvrés »", maxLength: 100 }),
  bands,
  active: z.boolean().meta({ description: "Proposé aux clients" }),
  order: wholeNumber({
    min: 0,
    wrong: WRONG_ORDER,
    description: "Ordre parmi les modes de même prix, à partir de 0",
  }),
};

/** The body of POST /api/shipping_methods. */
export const shippingMethodInput = z.object({
  ...fields,
  freeFrom: freeFrom.default(null),
  bands: bands.default([]),
  active: fields.active.default(true),
  order: fields.order.default(0),
});

/** The body of PUT /api/shipping_methods/{id}: what is not sent stays. */
export const shippingMethodChange = z.object(fields).partial().extend({ version: versionField });

/** The query of GET /api/shipping_methods. */
export const shippingMethodListQuery = z.object({
  ...listFields,
  active: yesOrNo("Proposé aux clients").meta({ property: "active" }),
  ...sortable("id", "name", "price", "order"),
});

export type ShippingMethodInput = z.output<typeof shippingMethodInput>;
export type ShippingMethodChange = z.output<typeof shippingMethodChange>;
export type ShippingMethodListQuery = z.output<typeof shippingMethodListQuery>;
