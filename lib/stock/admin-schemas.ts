import { z } from "zod";
import { rejectValue } from "@/lib/http/api/french-issues";
import { textField } from "@/lib/text/text-field";
import { MAX_STOCK } from "./rules";
import { CSV_REQUIRED, REASON_REQUIRED, WRONG_DIFFERENCE } from "./texts";

export const REASON_LENGTH = 200;

/** Bytes of an imported file: an export of 5,000 products has some 2.5 MB, with all of its columns. */
export const IMPORT_FILE_LIMIT = 4_000_000;

/** Bytes of an import's JSON body, with room for escape sequences. */
export const IMPORT_BODY_LIMIT = 1.25 * IMPORT_FILE_LIMIT;

/** Pieces that came in, or went out if negative, as a number or a text: "-3". */
const difference = z
  .unknown()
  .transform((value, context) => {
    const text = typeof value === "string" ? value.trim().replace("−", "-") : null;
    const pieces = text !== null && /^[-+]?\d{1,9}$/.test(text) ? Number(text) : value;
    const isDifference = typeof pieces === "number" && Number.isInteger(pieces) && pieces !== 0;
    if (isDifference && Math.abs(pieces) <= MAX_STOCK) return pieces;
    return rejectValue(context, value, WRONG_DIFFERENCE);
  })
  .meta({
    type: "integer",
    minimum: -MAX_STOCK,
    maximum: MAX_STOCK,
    description: "Exemplaires à ajouter au stock, ou à en retirer s'il est négatif",
  });

export const currentStockField = z
  .int()
  .nullish()
  .describe(
    "Le stock qui a été lu (null s'il n'est pas compté) ; s'il a changé depuis, la correction est refusée (409)",
  );

/** The body of POST /api/products/{id}/stock_movements. */
export const correctionInput = z.object({
  quantity: difference,
  reason: textField({
    description: "Raison de la correction",
    required: REASON_REQUIRED,
    maxLength: REASON_LENGTH,
  }),
  currentStock: currentStockField,
});

/** The body of POST /api/stock_imports. */
export const importInput = z.object({
  csv: z
    .string(CSV_REQUIRED)
    .refine((text) => text.trim() !== "", CSV_REQUIRED)
    .describe(
      "Fichier CSV avec une ligne de titres : « ID » ou « Nom », et « Stock » ; les autres colonnes sont ignorées",
    ),
});

export type CorrectionInput = z.output<typeof correctionInput>;
