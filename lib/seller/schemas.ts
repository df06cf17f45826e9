import { z } from "zod";
import { versionField } from "@/lib/backoffice/schemas";
import { EMAIL_MAX_LENGTH, isEmail } from "@/lib/email";
import { REQUIRED, singleLine, textField } from "@/lib/text-field";
import { formatSiren, formatVatNumber, isSiren, isVatNumber } from "./rules";
import { WRONG_EMAIL, WRONG_SIREN, WRONG_VAT_NUMBER } from "./texts";

const MAX_ADDRESS_LINES = 6;

/** Lines without empty ones among them. */
const cleanLines = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .map(singleLine)
    .filter(Boolean)
    .slice(0, MAX_ADDRESS_LINES)
    .join("\n");

/** The body of PUT /api/admin/seller. */
export const sellerInput = z
  .object({
    legalName: textField({ description: "Raison sociale", required: REQUIRED, maxLength: 200 }),
    address: textField({
      description: `Adresse du siège, en ${MAX_ADDRESS_LINES} lignes au plus`,
      required: REQUIRED,
      maxLength: 500,
      clean: cleanLines,
    }),
    siren: textField({
      description: "SIREN",
      required: REQUIRED,
      maxLength: 20,
      clean: (text) => formatSiren(singleLine(text)),
    }),
    vatNumber: textField({
      description: "Numéro de TVA intracommunautaire",
      required: REQUIRED,
      maxLength: 30,
      clean: (text) => formatVatNumber(singleLine(text)),
    }),
    email: textField({
      description: "Adresse e-mail",
      required: REQUIRED,
      maxLength: EMAIL_MAX_LENGTH,
    }),
    version: versionField,
  })
  .superRefine(({ siren, vatNumber, email }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (siren && !isSiren(siren)) refuse("siren", WRONG_SIREN);
    else if (vatNumber && !isVatNumber({ vatNumber, siren })) refuse("vatNumber", WRONG_VAT_NUMBER);
    if (email && !isEmail(email)) refuse("email", WRONG_EMAIL);
  });

export type SellerInput = z.output<typeof sellerInput>;
