import { passesLuhn } from "@/lib/numbers";
import { isEmail } from "@/lib/text/email";
import { REQUIRED } from "@/lib/text/texts";

// The required details of a seller, and the format of French company numbers. Pure functions.

const WRONG_SIREN =
  "Ce SIREN n'existe pas\u00a0: neuf chiffres, dont le dernier est une clé de contrôle.";
const WRONG_VAT_NUMBER =
  "Ce numéro de TVA n'est pas valable\u00a0: en France, FR, une clé de deux caractères, puis le SIREN.";
const WRONG_EMAIL = "Cette adresse e-mail n'est pas valide.";
const tooManyLines = (max: number) => `Ce champ doit tenir en ${max} lignes au plus.`;

/** Maximum number of lines that fit on an invoice. */
export const MAX_LINES = 6;

/** Maximum characters of the general terms: about twenty pages. */
export const TERMS_MAX_LENGTH = 50_000;

/** Typed details: those that the law requires on invoices, and the hosting company. */
type SellerTexts = Record<
  "legalName" | "address" | "siren" | "vatNumber" | "email" | "host",
  string
> & { vatExempt: boolean };

/** A link that calls a telephone number: "tel:0465710123". */
export const phoneUrl = (phone: string) => `tel:${phone.replace(/[^\d+]/g, "")}`;

/** The errors of a seller's details, by field. */
export function sellerProblems(texts: SellerTexts) {
  const { legalName, address, siren, vatNumber, vatExempt, email, host } = texts;
  const isLong = (text: string) => text.trim().split(/\s*[\r\n]\s*/).length > MAX_LINES;
  const required = Object.entries({
    legalName,
    address,
    siren,
    ...(!vatExempt && { vatNumber }),
    email,
  })
    .filter(([, text]) => text.trim() === "")
    .map(([field]) => ({ field, message: REQUIRED }));
  const wrong = [
    { field: "siren", isWrong: siren && !isSiren(siren), message: WRONG_SIREN },
    {
      field: "vatNumber",
      // Compare the VAT number only with a valid SIREN: an invalid SIREN is the only error to report.
      isWrong: vatNumber && !isVatNumber({ vatNumber, siren: isSiren(siren) ? siren : null }),
      message: WRONG_VAT_NUMBER,
    },
    { field: "email", isWrong: email && !isEmail(email.trim()), message: WRONG_EMAIL },
    { field: "address", isWrong: isLong(address), message: tooManyLines(MAX_LINES) },
    { field: "host", isWrong: isLong(host), message: tooManyLines(MAX_LINES) },
  ].filter(({ isWrong }) => isWrong);
  return [...required, ...wrong.map(({ field, message }) => ({ field, message }))];
}

/** The details that the law requires before a buyer pays, with their French names. */
const REQUIRED_TO_SELL = {
  legalName: "la raison sociale",
  address: "l’adresse",
  siren: "le SIREN",
  terms: "les conditions générales de vente",
} as const;

/** The French names of missing details. */
export const missingToSell = (
  seller: Readonly<Record<keyof typeof REQUIRED_TO_SELL, string | readonly string[]>>,
): string[] =>
  Object.entries(REQUIRED_TO_SELL)
    .filter(([field]) => seller[field as keyof typeof REQUIRED_TO_SELL].length === 0)
    .map(([, name]) => name);

/** Formats a SIREN in groups of three digits: "123 456 782". */
export const formatSiren = (text: string) =>
  text.replace(/\s/g, "").replace(/^(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3");

/** Whether a text is a SIREN of the INSEE: nine digits, the last one a check digit. */
export function isSiren(text: string): boolean {
  const digits = text.replace(/\s/g, "");
  return /^\d{9}$/.test(digits) && passesLuhn(digits);
}

/** Formats a VAT number: "FR11 123456782", in capitals, with a space after country and key. */
export const formatVatNumber = (text: string) =>
  text
    .replace(/[\s.-]/g, "")
    .toUpperCase()
    .replace(/^(FR[0-9A-Z]{2})(\d{9})$/, "$1 $2");

/**
 * Whether a text has the format of a VAT number of the European Union. A French number ends in the seller's
 * SIREN; a numeric key must be (12 + 3 × SIREN mod 97) mod 97.
 */
export function isVatNumber({
  vatNumber,
  siren,
}: {
  vatNumber: string;
  /** Null if unknown. */
  siren: string | null;
}): boolean {
  const text = vatNumber.replace(/[\s.-]/g, "").toUpperCase();
  if (!text.startsWith("FR")) return /^[A-Z]{2}[0-9A-Z+*]{2,12}$/.test(text);
  const [, key = "", digits] = /^FR([0-9A-HJ-NP-Z]{2})(\d{9})$/.exec(text) ?? [];
  if (digits === undefined) return false;
  if (siren !== null && digits !== siren.replace(/\s/g, "")) return false;
  return !/^\d\d$/.test(key) || Number(key) === (12 + 3 * (Number(digits) % 97)) % 97;
}
