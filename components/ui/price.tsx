import clsx from "clsx";
import { formatEuros } from "@/lib/money";

type PriceProps = ({ cents: number } | { euros: number }) & { className?: string };

/** An amount, "42,90 €", from integer cents or from the euros of a resource. */
export function Price({ className, ...amount }: PriceProps) {
  const cents = "cents" in amount ? amount.cents : Math.round(amount.euros * 100);
  return (
    <span className={clsx("whitespace-nowrap tabular-nums", className)}>{formatEuros(cents)}</span>
  );
}
