import { isEmail } from "@/lib/email";
import { passesLuhn } from "@/lib/luhn";
import { REQUIRED } from "@/lib/texts";
import { tooManyLines, WRONG_EMAIL, WRONG_SIREN, WRONG_VAT_NUMBER } from "./texts";

// What must be known of a seller, and the numbers by which French ones are known. Pure.

/** Lines that an invoice has room for. */
export const MAX_LINES = 6;

/** Characters of the general terms: some twenty pages. */
export const TERMS_MAX_LENGTH = 50_000;

/** What is typed: what the law wants on invoices, and who hosts the site. */
type SellerTexts = Record<
  "legalName" | "address" | "siren" | "vatNumber" | "email" | "host",
  string
> & { vatExempt: boolean };

/** What keeps a seller from being named on invoices, field by field. */
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
      // Of two that disagree, the one that cannot be is the wrong one.
      isWrong: vatNumber && !isVatNumber({ vatNumber, siren: isSiren(siren) ? siren : null }),
      message: WRONG_VAT_NUMBER,
    },
    { field: "email", isWrong: email && !isEmail(email.trim()), message: WRONG_EMAIL },
    { field: "address", isWrong: isLong(address), message: tooManyLines(MAX_LINES) },
    { field: "host", isWrong: isLong(host), message: tooManyLines(MAX_LINES) },
  ].filter(({ isWrong }) => isWrong);
  return [...required, ...wrong.map(({ field, message }) => ({ field, message }))];
}

/** What the law wants a buyer to be told before paying, by its French name. */
const REQUIRED_TO_SELL = {
  legalName: "la raison sociale",
  address: "l’adresse",
  siren: "le SIREN",
  terms: "les conditions générales de vente",
} as const;

/** What is missing of it, by its French name. */
export const missingToSell = (
  seller: Readonly<Record<keyof typeof REQUIRED_TO_SELL, string | readonly string[]>>,
): string[] =>
  Object.entries(REQUIRED_TO_SELL)
    .filter(([field]) => seller[field as keyof typeof REQUIRED_TO_SELL].length === 0)
    .map(([, name]) => name);

/** Only its digits, in groups of three as they are written: "123 456 782". */
export const formatSiren = (text: string) =>
  text.replace(/\s/g, "").replace(/^(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3");

/** Nine digits of which the last one is a check digit, as the INSEE gives it. */
export function isSiren(text: string): boolean {
  const digits = text.replace(/\s/g, "");
  return /^\d{9}$/.test(digits) && passesLuhn(digits);
}

/** "FR11 123456782": country and key, then the rest, in capitals. */
export const formatVatNumber = (text: string) =>
  text
    .replace(/[\s.-]/g, "")
    .toUpperCase()
    .replace(/^(FR[0-9A-Z]{2})(\d{9})$/, "$1 $2");

/**
 * A VAT number of the European Union by its shape. A French one ends in the seller's SIREN; its key,
 * where it is one of digits, is (12 + 3 × SIREN mod 97) mod 97.
 */
export function isVatNumber({
  vatNumber,
  siren,
}: {
  vatNumber: string;
  /** Null where it is not known. */
  siren: string | null;
}): boolean {
  const text = vatNumber.replace(/[\s.-]/g, "").toUpperCase();
  if (!text.startsWith("FR")) return /^[A-Z]{2}[0-9A-Z+*]{2,12}$/.test(text);
  const [, key = "", digits] = /^FR([0-9A-HJ-NP-Z]{2})(\d{9})$/.exec(text) ?? [];
  if (digits === undefined) return false;
  if (siren !== null && digits !== siren.replace(/\s/g, "")) return false;
  return !/^\d\d$/.test(key) || Number(key) === (12 + 3 * (Number(digits) % 97)) % 97;
}
