import clsx from "clsx";
import { centsOfAmount, formatEuros } from "@/lib/money";

type PriceProps = ({ cents: number } | { euros: number }) & { className?: string };

/** An amount, "42,90 €", from integer cents, or from euros as the API gives them. */
export function Price({ className, ...amount }: PriceProps) {
  const cents = "cents" in amount ? amount.cents : centsOfAmount(amount.euros);
  return (
    <span className={clsx("whitespace-nowrap tabular-nums", className)}>{formatEuros(cents)}</span>
  );
}
