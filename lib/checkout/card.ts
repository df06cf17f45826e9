import { passesLuhn } from "@/lib/numbers";

// Checks that a card field makes by itself, as Stripe's fields do: the form of a number, not its owner.

export interface CardInput {
  number: string;
  expiry: string;
  cvc: string;
}

export type CardField = keyof CardInput;

/** What is wrong with a field. `isIncomplete`: typing on may still make the value valid. */
interface CardProblem {
  message: string;
  isIncomplete: boolean;
}

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** American Express writes its numbers 4-6-5 and has a code of four digits. */
const isAmex = (digits: string) => /^3[47]/.test(digits);

/** The name of the brand that a number belongs to; null as long as it is unknown. */
export function brandOf(number: string): string | null {
  const digits = digitsOf(number);
  if (/^4/.test(digits)) return "Visa";
  if (/^(?:5[1-5]|2[2-7])/.test(digits)) return "Mastercard";
  return isAmex(digits) ? "American Express" : null;
}

const numberLength = (digits: string) => (isAmex(digits) ? 15 : 16);
const cvcLength = (digits: string) => (isAmex(digits) ? 4 : 3);

/** "4242 4242 4242 4242". */
export function formatNumber(text: string): string {
  const digits = digitsOf(text).slice(0, isAmex(digitsOf(text)) ? 15 : 19);
  const groups = isAmex(digits)
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)]
    : (digits.match(/\d{1,4}/g) ?? []);
  return groups.filter(Boolean).join(" ");
}

/** "03 / 34", also from "3/34", "0334" and "03/2034", as password managers fill it in. */
export function formatExpiry(text: string): string {
  const parts = /^\s*(\d{1,2})\s*[/-]\s*(\d{0,4})/.exec(text);
  let digits = parts ? (parts[1] ?? "").padStart(2, "0") + (parts[2] ?? "") : digitsOf(text);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  const year = digits.slice(2);
  const short = /^20\d\d$/.test(year) ? year.slice(2) : year.slice(0, 2);
  return short === "" ? digits.slice(0, 2) : `${digits.slice(0, 2)} / ${short}`;
}

export function formatCvc(text: string): string {
  return digitsOf(text).slice(0, 4);
}

const incomplete = (message: string): CardProblem => ({ message, isIncomplete: true });
const wrong = (message: string): CardProblem => ({ message, isIncomplete: false });

/** What is wrong with each field, null where nothing is. */
export function cardProblems(
  { number, expiry, cvc }: CardInput,
  now = new Date(),
): Record<CardField, CardProblem | null> {
  const digits = digitsOf(number);
  return {
    number: numberProblem(digits),
    expiry: expiryProblem(digitsOf(expiry), now),
    cvc:
      digitsOf(cvc).length < cvcLength(digits)
        ? incomplete("Le code de sécurité de votre carte est incomplet.")
        : digitsOf(cvc).length > cvcLength(digits)
          ? wrong("Le code de sécurité de votre carte n'est pas valide.")
          : null,
  };
}

function numberProblem(digits: string): CardProblem | null {
  // Diners Club has 14 digits, some others up to 19.
  const isShort =
    digits.length < numberLength(digits) && !(/^3[068]/.test(digits) && digits.length === 14);
  if (isShort) return incomplete("Le numéro de votre carte est incomplet.");
  return passesLuhn(digits) ? null : wrong("Le numéro de votre carte n'est pas valide.");
}

function expiryProblem(digits: string, now: Date): CardProblem | null {
  const { month, year } = expiryOf(digits);
  if (digits.length >= 2 && (month < 1 || month > 12))
    return wrong("La date d'expiration de votre carte n'est pas valide.");
  if (digits.length < 4) return incomplete("La date d'expiration de votre carte est incomplète.");
  // A card is good until the end of its month.
  return new Date(year, month, 1) <= now
    ? wrong("La date d'expiration de votre carte est dépassée.")
    : null;
}

/** "03 / 34" is March 2034. */
export function expiryOf(text: string): { month: number; year: number } {
  const digits = digitsOf(text);
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2, 4)) };
}
