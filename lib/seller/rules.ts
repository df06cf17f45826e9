// The numbers by which French sellers are known. Pure.

/** Only its digits, in groups of three as they are written: "123 456 782". */
export const formatSiren = (text: string) =>
  text.replace(/\s/g, "").replace(/^(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3");

/** Nine digits of which the last one is a check digit (Luhn's formula, as the INSEE gives it). */
export function isSiren(text: string): boolean {
  const digits = text.replace(/\s/g, "");
  if (!/^\d{9}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
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
export function isVatNumber({ vatNumber, siren }: { vatNumber: string; siren: string }): boolean {
  const text = vatNumber.replace(/[\s.-]/g, "").toUpperCase();
  if (!text.startsWith("FR")) return /^[A-Z]{2}[0-9A-Z+*]{2,12}$/.test(text);
  const [, key = "", digits] = /^FR([0-9A-HJ-NP-Z]{2})(\d{9})$/.exec(text) ?? [];
  if (digits === undefined || digits !== siren.replace(/\s/g, "")) return false;
  return !/^\d\d$/.test(key) || Number(key) === (12 + 3 * (Number(digits) % 97)) % 97;
}
