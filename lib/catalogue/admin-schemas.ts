import { z } from "zod";
import { listFields, sortable, yesOrNo } from "@/lib/backoffice/list-query";
import { amountField, versionField } from "@/lib/backoffice/schemas";
import { parseIri } from "@/lib/http/ids";
import { REQUIRED, textField } from "@/lib/text-field";
import { productQuery } from "./schemas";
import {
  DEFAULT_CATEGORY_REQUIRED,
  FILE_SIZE_REQUIRED,
  TOO_MANY_CHARACTERISTICS,
  WRONG_CHARACTERISTICS,
  WRONG_COLOR,
  WRONG_IMAGE,
  WRONG_RELATIONS,
  WRONG_VAT_RATE,
} from "./texts";

// Categories and tags -----------------------------------------------------------------------------

/** What a form begins with. */
const DEFAULT_COLOR = "#3b82f6";

/** The query of GET /api/categories and /api/tags for administrators. */
export const labelListQuery = z.object({ ...listFields, ...sortable("id", "name", "color") });

const labelFields = {
  name: textField({ description: "Nom", required: REQUIRED, maxLength: 100 }),
  color: z
    .string()
    .trim()
    .regex(/^#[0-9a-f]{6}$/i, WRONG_COLOR)
    .describe("Couleur, #rrggbb"),
};

/** The body of POST /api/categories and /api/tags. */
export const labelInput = z.object({
  ...labelFields,
  color: labelFields.color.default(DEFAULT_COLOR),
});

/** The body of PUT /api/categories/{id} and /api/tags/{id}: what is not sent stays. */
export const labelChange = z.object(labelFields).partial().extend({ version: versionField });

export type LabelListQuery = z.output<typeof labelListQuery>;
export type LabelInput = z.output<typeof labelInput>;
export type LabelChange = z.output<typeof labelChange>;

// Products ----------------------------------------------------------------------------------------

/** The query of GET /api/products for administrators: the public one, and the back office's own. */
export const adminProductQuery = productQuery.extend({
  withoutImage: yesOrNo("Sans image").meta({ property: "image" }),
  ...sortable("id", "name", "price", "createdAt"),
});

export type AdminProductQuery = z.output<typeof adminProductQuery>;

const MAX_CHARACTERISTICS = 100;
/** Bytes of a product's JSON: a long description and all characteristics. */
export const PRODUCT_BODY_LIMIT = 300_000;
const LARGEST_INT = 2_147_483_647;

/** Several lines, as they were typed. */
const multiline = (text: string) => text.replace(/\r\n?/g, "\n").trim();

/** A file name, a path below /images, or an http(s) address. */
function isImage(image: string): boolean {
  if (/^https?:\/\//i.test(image)) return URL.canParse(image);
  return /^(?:\/images\/)?[\p{L}\p{N}_][\p{L}\p{N} ._()/-]*$/u.test(image) && !image.includes("..");
}

/** A text that may be missing; an empty one is none. */
function optionalText({
  description,
  maxLength,
  isGood = () => true,
  wrong = "",
}: {
  description: string;
  maxLength: number;
  isGood?: (text: string) => boolean;
  wrong?: string;
}) {
  return textField({ description, maxLength })
    .superRefine((text, context) => {
      if (text !== "" && !isGood(text)) context.addIssue({ code: "custom", message: wrong });
    })
    .transform((text) => text || null)
    .meta({ type: ["string", "null"], description, maxLength });
}

/** A list of items of a collection, by address or id; each one counts once. */
function relations(collection: string, description: string) {
  return z
    .array(z.unknown(), WRONG_RELATIONS)
    .max(1000)
    .transform((values, context) => {
      const ids = values.map((value) => parseIri(value, collection));
      ids.forEach((id, index) => {
        if (id === null)
          context.issues.push({
            code: "custom",
            input: values[index],
            path: [index],
            message: `Cette valeur doit être un identifiant ou une adresse /api/${collection}/{id}.`,
          });
      });
      return [...new Set(ids.filter((id) => id !== null))];
    })
    .meta({
      type: "array",
      items: { type: ["string", "integer"], examples: [`/api/${collection}/7`, 7] },
      description,
      relation: collection,
    });
}

const defaultCategory = z
  .unknown()
  .transform((value, context) => {
    const id = parseIri(value, "categories");
    if (id !== null) return id;
    context.issues.push({ code: "custom", input: value, message: DEFAULT_CATEGORY_REQUIRED });
    return z.NEVER;
  })
  .meta({
    type: ["string", "integer"],
    examples: ["/api/categories/7", 7],
    description: "Catégorie par défaut : adresse /api/categories/{id} ou identifiant",
    relation: "categories",
  });

/** Percent to basis points. */
const vatRate = z
  .unknown()
  .transform((value, context) => {
    const rate = Number(typeof value === "string" ? value.replace(",", ".") : value);
    const basisPoints = Math.round(rate * 100);
    if (value !== "" && value !== null && [2000, 1000, 550, 210, 0].includes(basisPoints))
      return basisPoints;
    context.issues.push({ code: "custom", input: value, message: WRONG_VAT_RATE });
    return z.NEVER;
  })
  .meta({ type: "number", enum: [20, 10, 5.5, 2.1, 0], description: "Taux de TVA en pour cent" });

const common = {
  name: textField({ description: "Nom", required: REQUIRED, maxLength: 255 }),
  price: amountField({ description: "Prix en euros, TVA comprise", required: REQUIRED }),
  description: textField({
    description: "Description",
    required: REQUIRED,
    maxLength: 20_000,
    clean: multiline,
  }),
  image: optionalText({
    description: "Nom de fichier sous /images, chemin ou adresse http(s)",
    maxLength: 500,
    isGood: isImage,
    wrong: WRONG_IMAGE,
  }),
  defaultCategory,
  categories: relations("categories", "Catégories associées"),
  tags: relations("tags", "Étiquettes"),
  vatRate: vatRate.nullish().transform((basisPoints) => basisPoints ?? undefined),
};

/** A map, as the API shows it, or a list, which keeps its order whatever the names are. */
const characteristics = z
  .unknown()
  .transform((value, context) => {
    const refuse = (message: string) => {
      context.issues.push({ code: "custom", input: value, message });
      return z.NEVER;
    };
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
    // One counts only with both a name and a value; the last of a name wins.
    const named = new Map(texts.map(([name = "", text = ""]) => [name, text]));
    return [...named].flatMap(([name, text]) => (name && text ? [{ name, value: text }] : []));
  })
  .meta({
    type: "object",
    additionalProperties: { type: "string" },
    description: "Caractéristiques : des textes désignés par leur nom",
  });

/** Ko. */
const filesize = z
  .unknown()
  .transform((value, context) => {
    const size = typeof value === "string" && /^\d+$/.test(value.trim()) ? Number(value) : value;
    if (typeof size === "number" && Number.isInteger(size) && size > 0 && size <= LARGEST_INT)
      return size;
    context.issues.push({ code: "custom", input: value, message: FILE_SIZE_REQUIRED });
    return z.NEVER;
  })
  .meta({ type: "integer", minimum: 1, description: "Taille du fichier en Ko" });

const physical = { characteristics };

const digital = {
  downloadLink: optionalText({
    description: "Lien de téléchargement : adresse http(s), chemin /downloads/… ou nom de fichier",
    maxLength: 2000,
  }),
  filesize,
  filetype: optionalText({ description: "Type du fichier", maxLength: 100 }),
};

const defaults = {
  ...common,
  categories: common.categories.default([]),
  tags: common.tags.default([]),
};

const changes = { ...z.object(common).partial().shape, version: versionField };

/** The body of POST /api/physical_products. */
export const physicalProductInput = z.object({
  ...defaults,
  characteristics: characteristics.default([]),
});

/** The body of PUT /api/physical_products/{id}: what is not sent stays. */
export const physicalProductChange = z.object({
  ...changes,
  ...z.object(physical).partial().shape,
});

/** The body of POST /api/digital_products. */
export const digitalProductInput = z.object({ ...defaults, ...digital });

/** The body of PUT /api/digital_products/{id}: what is not sent stays. */
export const digitalProductChange = z.object({ ...changes, ...z.object(digital).partial().shape });

export type PhysicalProductInput = z.output<typeof physicalProductInput>;
export type DigitalProductInput = z.output<typeof digitalProductInput>;
export type PhysicalProductChange = z.output<typeof physicalProductChange>;
export type DigitalProductChange = z.output<typeof digitalProductChange>;
