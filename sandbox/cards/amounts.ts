import { invalidParam } from "@/sandbox/cards/api-error";

const MINIMUM = 50;
const MAXIMUM = 99_999_999;

const format = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });

/** @param amount in cents */
export const formatAmount = (amount: number): string => format.format(amount / 100);

/** @throws ApiError (400) for an amount outside Stripe's limits */
export function checkAmount(amount: number): void {
  const message = `Le montant doit être entre ${formatAmount(MINIMUM)} et ${formatAmount(MAXIMUM)}.`;
  if (amount < MINIMUM) throw invalidParam("amount", message, "amount_too_small");
  if (amount > MAXIMUM) throw invalidParam("amount", message, "amount_too_large");
}
