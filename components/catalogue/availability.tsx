import { type Available, availabilityText } from "@/lib/stock/rules";

const tones = { in_stock: "text-success", low: "text-warning", sold_out: "text-danger" } as const;

type AvailabilityProps = {
  product: Available;
  className?: string;
};

/** 'En stock', 'Plus que 2 exemplaires', 'Épuisé'; nothing if the stock is not counted. */
export function Availability({ product, className = "" }: AvailabilityProps) {
  const { availability } = product;
  const text = availabilityText(product);
  if (text === null || !availability || availability === "unlimited") return null;
  return <p className={`${tones[availability]} ${className}`}>{text}</p>;
}
