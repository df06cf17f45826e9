import { z } from "zod";
import { listFields, sortable, yesOrNo } from "@/lib/backoffice/list-query";
import { amountField, integerField, versionField } from "@/lib/backoffice/schemas";
import { rejectValue } from "@/lib/http/api/french-issues";
import { POSTAL_ZONE_LABELS, POSTAL_ZONES, type PostalZone } from "@/lib/shop/postal-zones";
import { textField } from "@/lib/text/text-field";
import { REQUIRED } from "@/lib/text/texts";
import {
  SAME_WEIGHT,
  tooManyBands,
  tooManyPostalCodes,
  WRONG_BANDS,
  WRONG_ORDER,
  WRONG_POSTAL_CODES,
  WRONG_WEIGHT,
  WRONG_ZONES,
} from "./texts";

/** Most weight bands of one method. */
const MAX_BANDS = 20;

const band = z
  .object({
    maxWeight: integerField({
      min: 1,
      description: "Poids maximal du colis en grammes, compris",
      wrong: WRONG_WEIGHT,
      required: REQUIRED,
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

/** Euros; an empty value means no threshold. */
const freeFrom = z
  .preprocess(
    (value) => (value === undefined || value === "" ? null : value),
    amountField({ description: "Montant", required: REQUIRED }).nullable(),
  )
  .meta({
    type: ["number", "null"],
    minimum: 0,
    description: "Valeur des objets en euros à partir de laquelle la livraison est offerte",
  });

const zones = z
  .array(z.enum(POSTAL_ZONES, WRONG_ZONES), WRONG_ZONES)
  .nullish()
  .transform((all): PostalZone[] | undefined =>
    all ? POSTAL_ZONES.filter((zone) => all.includes(zone)) : undefined,
  )
  .meta({
    type: "array",
    items: { type: "string", enum: [...POSTAL_ZONES] },
    description: `Zones desservies : ${Object.entries(POSTAL_ZONE_LABELS)
      .map(([zone, label]) => `${zone} (${label})`)
      .join(", ")}`,
  });

/** Most postal codes and prefixes of one method. */
const MAX_POSTAL_CODES = 500;

/** A list, or the text of a form field, separated by commas, semicolons, spaces or line breaks. */
const postalCodes = z
  .unknown()
  .transform((value, context): string[] => {
    const all = typeof value === "string" ? value.split(/[\s,;]+/).filter(Boolean) : (value ?? []);
    const isCode = (code: unknown) => typeof code === "string" && /^\d{2,5}$/.test(code.trim());
    if (!Array.isArray(all) || !all.every(isCode))
      return rejectValue(context, value, WRONG_POSTAL_CODES);
    if (all.length > MAX_POSTAL_CODES)
      return rejectValue(context, value, tooManyPostalCodes(MAX_POSTAL_CODES));
    return [...new Set(all.map((code: string) => code.trim()))].sort();
  })
  .meta({
    type: "array",
    items: { type: "string", pattern: "^\\d{2,5}$" },
    description: "Codes postaux desservis en plus, entiers (69003) ou par leur début (974)",
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
  zones,
  postalCodes,
  active: z.boolean().meta({ description: "Proposé aux clients" }),
  order: integerField({
    min: 0,
    description: "Ordre parmi les modes de même prix, à partir de 0",
    wrong: WRONG_ORDER,
    required: REQUIRED,
  }),
};

/** The body of POST /api/shipping_methods. */
export const shippingMethodInput = z.object({
  ...fields,
  freeFrom: freeFrom.default(null),
  bands: bands.default([]),
  postalCodes: postalCodes.default([]),
  active: fields.active.default(true),
  order: fields.order.default(0),
});

/** The body of PUT /api/shipping_methods/{id}: fields that are not sent stay. */
export const shippingMethodChange = z.object(fields).partial().extend({ version: versionField });

/** The query of GET /api/shipping_methods. */
export const shippingMethodListQuery = z.object({
  ...listFields,
  active: yesOrNo("Proposé aux clients").meta({ property: "active" }),
  ...sortable("id", "name", "price", "order"),
});

export type ShippingMethodInput = z.output<typeof shippingMethodInput>;
