import { invalidParam } from "@/sandbox/cards/api-error";

/** The accepted currencies with their minimum amounts, in the smallest unit. */
const MINIMUMS: Readonly<Record<string, number>> = {
  aud: 50,
  cad: 50,
  chf: 50,
  dkk: 250,
  eur: 50,
  gbp: 30,
  jpy: 50,
  nok: 300,
  pln: 200,
  sek: 300,
  usd: 50,
};

const MAXIMUM = 99_999_999;

/** @param amount in the currency's smallest unit, e.g. cents */
export function formatAmount({ amount, currency }: { amount: number; currency: string }): string {
  const format = new Intl.NumberFormat("fr-FR", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/** @throws ApiError (400) for an amount out of range or an unknown currency */
export function checkAmount({ amount, currency }: { amount: number; currency: string }): void {
  const minimum = MINIMUMS[currency];
  if (minimum === undefined)
    throw invalidParam({
      message: `Devise inconnue : ${currency}. Devises acceptées : ${Object.keys(MINIMUMS).join(", ")}.`,
      param: "currency",
    });
  if (amount < 1)
    throw invalidParam({
      code: "parameter_invalid_integer",
      message: "Le montant doit être un entier positif.",
      param: "amount",
    });
  if (amount < minimum)
    throw invalidParam({
      code: "amount_too_small",
      message: `Le montant doit être d'au moins ${formatAmount({ amount: minimum, currency })}.`,
      param: "amount",
    });
  if (amount > MAXIMUM)
    throw invalidParam({
      code: "amount_too_large",
      message: `Le montant doit être d'au plus ${formatAmount({ amount: MAXIMUM, currency })}.`,
      param: "amount",
    });
}
