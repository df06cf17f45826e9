import { invalidParam } from "@/sandbox/cards/api-error";

const MINIMUM = 50;
const MAXIMUM = 99_999_999;

const format = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });

/** @param amount in cents */
export const formatAmount = (amount: number): string => format.format(amount / 100);

/** @throws ApiError (400) for an amount that Stripe would not take */
export function checkAmount(amount: number): void {
  const refuse = (code: string, message: string) => {
    throw invalidParam({ code, message, param: "amount" });
  };
  if (amount < 1) refuse("parameter_invalid_integer", "Le montant doit être un entier positif.");
  if (amount < MINIMUM)
    refuse("amount_too_small", `Le montant doit être d'au moins ${formatAmount(MINIMUM)}.`);
  if (amount > MAXIMUM)
    refuse("amount_too_large", `Le montant doit être d'au plus ${formatAmount(MAXIMUM)}.`);
}
