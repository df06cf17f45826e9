import { z } from "zod";
import { rejectValue } from "@/lib/http/api/french-issues";
import { textField } from "@/lib/text/text-field";
import { REQUIRED } from "@/lib/text/texts";
import { isGtin } from "./gtin";
import { MAX_IMAGES, PRODUCT_STATUSES } from "./rules";
import { TOO_MANY_IMAGES, WRONG_GTIN, WRONG_IMAGE } from "./texts";

// Pictures, references, brand and status of a product, of which no field is required.

/** Characters of what a picture shows. */
export const MAX_ALT = 250;

/** An optional text; an empty text becomes null. */
export function optionalText({
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
    .refine((text) => text === "" || isGood(text), wrong)
    .transform((text) => text || null)
    .meta({ type: ["string", "null"], description, maxLength });
}

/** A file name, a path below /images, or an http(s) address. */
function isImage(image: string): boolean {
  if (/^https?:\/\//i.test(image)) return URL.canParse(image);
  return /^(?:\/images\/)?[\p{L}\p{N}_][\p{L}\p{N} ._()/-]*$/u.test(image) && !image.includes("..");
}

/** A picture's URL, as `image`, and what it shows. */
const picture = z.object({
  url: textField({
    description: "Nom de fichier sous /images, chemin ou adresse http(s)",
    required: REQUIRED,
    maxLength: 500,
  }).refine((url) => url === "" || isImage(url), WRONG_IMAGE),
  alt: textField({
    description: "Ce que montre l'image, pour qui ne la voit pas",
    maxLength: MAX_ALT,
  }),
});

/** A picture that is listed twice counts once. */
const images = z
  .array(picture)
  .max(MAX_IMAGES, TOO_MANY_IMAGES)
  .transform((list) =>
    list.filter(({ url }, index) => list.findIndex((each) => each.url === url) === index),
  );

/** The digits of a barcode; spaces and hyphens between them are left out, and an empty text is null. */
const gtin = z
  .unknown()
  .transform((value, context) => {
    const digits = String(value ?? "").replace(/[\s-]/g, "");
    if (digits === "") return null;
    return isGtin(digits) ? digits : rejectValue(context, value, WRONG_GTIN);
  })
  .meta({
    type: ["string", "null"],
    description: "Code-barres (GTIN) de 8, 12, 13 ou 14 chiffres, unique",
  });

export const detailFields = {
  image: optionalText({
    description: "Nom de fichier sous /images, chemin ou adresse http(s)",
    maxLength: 500,
    isGood: isImage,
    wrong: WRONG_IMAGE,
  }),
  images: images
    .nullish()
    .transform((list) => list ?? undefined)
    .describe(
      "Toutes les images, 12 au plus, la première étant `image`. Une liste modifiée l'emporte sur `image` ; `image` seul remplace la première et garde les autres",
    ),
  sku: optionalText({ description: "Référence de l'article (SKU), unique", maxLength: 64 }),
  gtin,
  brand: optionalText({ description: "Marque", maxLength: 100 }),
  status: z
    .enum(PRODUCT_STATUSES)
    .nullish()
    .transform((status) => status ?? undefined)
    .describe("En vente, ou brouillon que seuls les administrateurs voient"),
};
