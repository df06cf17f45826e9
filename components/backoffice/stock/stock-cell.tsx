"use client";
import type { ProductRow } from "@/components/backoffice/products/product-fields";
import { Badge } from "@/components/ui/badge";
import { formatNumber } from "@/lib/numbers";
import { availabilityOf } from "@/lib/stock/rules";

/** The stock, with a badge if it is low or zero. */
export function StockCell({ product: { stock, lowStockThreshold } }: { product: ProductRow }) {
  if (stock === null) return "–";
  const availability = availabilityOf({ stock, lowStockThreshold });
  return (
    <span className="inline-flex items-center gap-2">
      <span>{formatNumber(stock)}</span>
      {availability === "sold_out" && <Badge tone="danger">Épuisé</Badge>}
      {availability === "low" && <Badge tone="warning">Bas</Badge>}
    </span>
  );
}
