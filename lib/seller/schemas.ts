import { z } from "zod";
import { versionField } from "@/lib/backoffice/schemas";
import { EMAIL_MAX_LENGTH } from "@/lib/text/email";
import { singleLine, textField } from "@/lib/text/text-field";
import { formatSiren, formatVatNumber, MAX_LINES, TERMS_MAX_LENGTH } from "./rules";
import { cleanTerms } from "./terms";

/** Cleans each line and removes empty lines. */
const cleanLines = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .map(singleLine)
    .filter(Boolean)
    .join("\n");

/** Maximum bytes: the longest terms, with escaped quotation marks and line breaks, and the other fields. */
export const SELLER_BODY_LIMIT = 300_000;

/** The body of PUT /api/admin/seller: fields that are not sent stay unchanged. */
export const sellerChange = z
  .object({
    legalName: textField({ description: "Raison sociale", maxLength: 200 }),
    address: textField({
      description: `Adresse du siège, en ${MAX_LINES} lignes au plus`,
      maxLength: 500,
      clean: cleanLines,
    }),
    siren: textField({
      description: "SIREN",
      maxLength: 20,
      clean: (text) => formatSiren(singleLine(text)),
    }),
    vatNumber: textField({
      description: "Numéro de TVA intracommunautaire",
      maxLength: 30,
      clean: (text) => formatVatNumber(singleLine(text)),
    }),
    vatExempt: z.boolean().meta({ description: "Franchise en base de TVA (CGI, art. 293 B)" }),
    email: textField({ description: "Adresse e-mail", maxLength: EMAIL_MAX_LENGTH }),
    phone: textField({ description: "Téléphone", maxLength: 40 }),
    publisher: textField({ description: "Directeur de la publication", maxLength: 200 }),
    host: textField({
      description: `Hébergeur, en ${MAX_LINES} lignes au plus`,
      maxLength: 500,
      clean: cleanLines,
    }),
    terms: textField({
      description: "Conditions générales de vente ; « # » devant un titre, « - » devant un point",
      maxLength: TERMS_MAX_LENGTH,
      clean: cleanTerms,
      allowsBidiControls: true,
    }),
  })
  .partial()
  .extend({ version: versionField });

export type SellerChange = z.output<typeof sellerChange>;
