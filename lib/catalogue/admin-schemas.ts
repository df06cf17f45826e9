import { z } from "zod";
import { listFields, sortable, yesOrNo } from "@/lib/backoffice/list-query";
import {
  amountField,
  integerField,
  nullableIntegerField,
  relationsField,
  versionField,
} from "@/lib/backoffice/schemas";
import { rejectValue } from "@/lib/http/api/french-issues";
import { relationField } from "@/lib/http/api/ids";
import { queryChoice } from "@/lib/http/api/query";
import { LARGEST_INT } from "@/lib/numbers";
import { VAT_RATES } from "@/lib/shop/vat-rates";
import { currentStockField } from "@/lib/stock/admin-schemas";
import { MAX_STOCK } from "@/lib/stock/rules";
import { WRONG_STOCK, WRONG_THRESHOLD } from "@/lib/stock/texts";
import { textField } from "@/lib/text/text-field";
import { HAS_BIDI_CONTROLS, REQUIRED } from "@/lib/text/texts";
import { hasBidiControls, isBlank } from "@/lib/text/visible-text";
import { detailFields, optionalText } from "./detail-schemas";
import { PRODUCT_STATUSES } from "./rules";
import { productQuery } from "./schemas";
import {
  DEFAULT_CATEGORY_REQUIRED,
  FILE_SIZE_REQUIRED,
  TOO_MANY_CHARACTERISTICS,
  TOO_MANY_FILTERS,
  WRONG_CHARACTERISTICS,
  WRONG_COLOR,
  WRONG_FILTERS,
  WRONG_RELATIONS,
  WRONG_VAT_RATE,
  WRONG_WEIGHT,
} from "./texts";

// Categories and tags -----------------------------------------------------------------------------

/** The initial colour of a form. */
export const DEFAULT_COLOR = "#3b82f6";

/** The query of GET /api/categories and /api/tags for administrators. */
export const labelListQuery = z.object({ ...listFields, ...sortable("id", "name", "color") });

const labelFields = {
  name: textField({ description: "Nom", required: REQUIRED, maxLength: 100 }),
  color: z
    .string()
    .trim()
    .regex(/^#[0-9a-fA-F]{6}$/, WRONG_COLOR)
    .describe("Couleur, #rrggbb"),
};

/** The body of POST /api/tags. */
export const labelInput = z.object({
  ...labelFields,
  color: labelFields.color.default(DEFAULT_COLOR),
});

/** The body of PUT /api/tags/{id}: fields that are not sent stay. */
export const labelChange = z.object(labelFields).partial().extend({ version: versionField });

const MAX_CATEGORY_FILTERS = 12;

/** A list of names; the back office's form sends one text with a name per line. */
const filterNames = z
  .union([z.array(z.string()), z.string().transform((text) => text.split("\n"))], {
    error: WRONG_FILTERS,
  })
  .transform((names, context) => {
    const texts = [...new Set(names.map((name) => name.trim()).filter(Boolean))];
    if (texts.length > MAX_CATEGORY_FILTERS) return rejectValue(context, names, TOO_MANY_FILTERS);
    if (texts.some((name) => name.length > 200 || hasBidiControls(name)))
      return rejectValue(context, names, WRONG_FILTERS);
    return texts;
  })
  .meta({
    type: "array",
    items: { type: "string" },
    description: "Caractéristiques par lesquelles ses produits peuvent être filtrés",
  });

/** The body of POST /api/categories. */
export const categoryInput = labelInput.extend({ filters: filterNames.default([]) });

/** The body of PUT /api/categories/{id}: fields that are not sent stay. */
export const categoryChange = labelChange.extend({ filters: filterNames.optional() });

// Products ----------------------------------------------------------------------------------------

/** The query of GET /api/products for administrators: the public parameters and the back office's own. */
export const adminProductQuery = productQuery.extend({
  withoutImage: yesOrNo("Sans image").meta({ property: "image" }),
  withoutWeight: yesOrNo("Produits physiques sans poids").meta({ property: "weight" }),
  stockState: queryChoice(["sold_out", "low"], {
    description: "Produits épuisés, ou dont il reste peu d'exemplaires",
  })
    .meta({ property: "stock" })
    .optional(),
  status: queryChoice(PRODUCT_STATUSES, { description: "Produits en vente, ou brouillons" })
    .meta({ property: "status" })
    .optional(),
  ...sortable("id", "name", "price", "createdAt", "stock"),
});

export type AdminProductQuery = z.output<typeof adminProductQuery>;

const MAX_CHARACTERISTICS = 100;
/** Bytes of a product's JSON body: enough for a long description and all characteristics. */
export const PRODUCT_BODY_LIMIT = 300_000;

/** A text of several lines, with its line breaks. */
const multiline = (text: string) => (isBlank(text) ? "" : text.replace(/\r\n?/g, "\n").trim());

/** Converts percent, as a number or a text ("5,5"), to basis points. */
const vatRate = z
  .unknown()
  .transform((value, context) => {
    const text = typeof value === "string" ? value.trim().replace(",", ".") : "";
    const rate = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : value;
    const basisPoints = typeof rate === "number" ? VAT_RATES.get(rate) : undefined;
    if (basisPoints !== undefined) return basisPoints;
    return rejectValue(context, value, WRONG_VAT_RATE);
  })
  .meta({ type: "number", enum: [...VAT_RATES.keys()], description: "Taux de TVA en pour cent" });

const common = {
  name: textField({ description: "Nom", required: REQUIRED, maxLength: 255 }),
  price: amountField({ description: "Prix en euros, TVA comprise", required: REQUIRED }),
  description: textField({
    description: "Description",
    required: REQUIRED,
    maxLength: 20_000,
    clean: multiline,
    allowsBidiControls: true,
  }),
  ...detailFields,
  defaultCategory: relationField({
    collection: "categories",
    description: "Catégorie par défaut",
    required: DEFAULT_CATEGORY_REQUIRED,
    wrong: DEFAULT_CATEGORY_REQUIRED,
  }),
  categories: relationsField({
    collection: "categories",
    description: "Catégories associées",
    wrongType: WRONG_RELATIONS,
  }),
  tags: relationsField({
    collection: "tags",
    description: "Étiquettes",
    wrongType: WRONG_RELATIONS,
  }),
  vatRate: vatRate.nullish().transform((basisPoints) => basisPoints ?? undefined),
};

/** An object, as the API shows it, or a list, which keeps its order even if names are numbers. */
const characteristics = z
  .unknown()
  .transform((value, context) => {
    const refuse = (message: string) => rejectValue(context, value, message);
    if (value === null) return [];
    if (typeof value !== "object") return refuse(WRONG_CHARACTERISTICS);
    const pairs: unknown[][] = Array.isArray(value)
      ? value.map((item) => [item?.name, item?.value])
      : Object.entries(value);
    if (pairs.length > MAX_CHARACTERISTICS) return refuse(TOO_MANY_CHARACTERISTICS);
    const isText = (part: unknown) => typeof part === "string" || typeof part === "number";
    if (!pairs.flat().every(isText)) return refuse(WRONG_CHARACTERISTICS);
    const texts = pairs.map((pair) => pair.map((part) => String(part).trim()));
    if (texts.flat().some((text) => text.length > 1000)) return refuse(WRONG_CHARACTERISTICS);
    if (texts.flat().some(hasBidiControls)) return refuse(HAS_BIDI_CONTROLS);
    // Pairs without a name or a value are left out. The last of several pairs with the same name wins.
    const named = new Map(texts.map(([name = "", text = ""]) => [name, text]));
    return [...named].flatMap(([name, text]) => (name && text ? [{ name, value: text }] : []));
  })
  .meta({
    type: "object",
    additionalProperties: { type: "string" },
    description: "Caractéristiques : des textes désignés par leur nom",
  });

/** Ko. */
export const FILE_SIZE_RANGE = { min: 1, max: LARGEST_INT, step: 1 } as const;

export const FILE_SIZE = {
  ...FILE_SIZE_RANGE,
  description: "Taille du fichier en Ko",
  wrong: FILE_SIZE_REQUIRED,
};
const filesize = integerField(FILE_SIZE);

/** Grams. */
export const WEIGHT_RANGE = { min: 0, max: LARGEST_INT, step: 1 } as const;

/** Null where the weight is unknown. */
const weight = nullableIntegerField({
  ...WEIGHT_RANGE,
  description: "Poids d'un produit physique en grammes",
  wrong: WRONG_WEIGHT,
});

const PIECES = { min: 0, max: MAX_STOCK } as const;

const physical = {
  characteristics,
  weight,
  stock: nullableIntegerField({
    ...PIECES,
    description: "Exemplaires en stock, null pour ne pas les compter",
    wrong: WRONG_STOCK,
  }).optional(),
  lowStockThreshold: nullableIntegerField({
    ...PIECES,
    description: "Nombre d'exemplaires à partir duquel il en reste peu, null pour ne pas le dire",
    wrong: WRONG_THRESHOLD,
  }).optional(),
};

const digital = {
  downloadLink: optionalText({
    description: "Lien de téléchargement : adresse http(s), chemin /downloads/… ou nom de fichier",
    maxLength: 2000,
  }),
  filesize,
  filetype: optionalText({ description: "Type du fichier", maxLength: 100 }),
};

export type PhysicalField = keyof typeof physical;
export type DigitalField = keyof typeof digital;

/** The fields that only products of one kind have. */
export const KIND_FIELDS = { physical: Object.keys(physical), digital: Object.keys(digital) };

const defaults = {
  ...common,
  categories: common.categories.default([]),
  tags: common.tags.default([]),
  gtin: common.gtin.default(null),
};

const changes = { ...z.object(common).partial().shape, version: versionField };

/** The body of POST /api/physical_products. */
export const physicalProductInput = z.object({
  ...defaults,
  ...physical,
  characteristics: characteristics.default([]),
  weight: weight.default(null),
});

/** The body of PUT /api/physical_products/{id}: fields that are not sent stay. */
export const physicalProductChange = z.object({
  ...changes,
  ...z.object(physical).partial().shape,
  currentStock: currentStockField,
});

/** The body of POST /api/digital_products. */
export const digitalProductInput = z.object({ ...defaults, ...digital });

/** The body of PUT /api/digital_products/{id}: fields that are not sent stay. */
export const digitalProductChange = z.object({ ...changes, ...z.object(digital).partial().shape });

export type PhysicalProductInput = z.output<typeof physicalProductInput>;
export type DigitalProductInput = z.output<typeof digitalProductInput>;
export type PhysicalProductChange = z.output<typeof physicalProductChange>;
export type DigitalProductChange = z.output<typeof digitalProductChange>;
