import { formatNumber } from "@/lib/numbers";

/** What the shop shows about a product's stock; "unlimited" where pieces are not counted. */
export const AVAILABILITIES = ["in_stock", "low", "sold_out", "unlimited"] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** The largest stock, and the largest change of it. */
export const MAX_STOCK = 1_000_000;

/** A number of pieces from 0 on, as a number or in digits; null for anything else. */
export function piecesIn(value: unknown): number | null {
  const count = typeof value === "string" && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
  const isCount = typeof count === "number" && Number.isInteger(count);
  return isCount && count >= 0 && count <= MAX_STOCK ? count : null;
}

export interface StockFigures {
  /** Pieces; null where they are not counted. */
  stock: number | null;
  /** At or below this stock, pages say that few pieces are left; null where they never say it. */
  lowStockThreshold: number | null;
}

export function availabilityOf({ stock, lowStockThreshold }: StockFigures): Availability {
  if (stock === null) return "unlimited";
  if (stock === 0) return "sold_out";
  return lowStockThreshold !== null && stock <= lowStockThreshold ? "low" : "in_stock";
}

/** The public view of a stock: the number of pieces is shown only where few are left. */
export function shownStock(figures: StockFigures): {
  availability: Availability;
  stock: number | null;
} {
  const availability = availabilityOf(figures);
  return { availability, stock: availability === "low" ? figures.stock : null };
}

/** Do pages show both stocks in the same way? */
export function isShownAlike(one: StockFigures, other: StockFigures): boolean {
  const [a, b] = [shownStock(one), shownStock(other)];
  return a.availability === b.availability && a.stock === b.stock;
}

/** The stock fields of a product on cards, in carts and on pages. */
export interface Available {
  availability?: Availability | undefined;
  stock?: number | null | undefined;
}

/** 'En stock', 'Plus que 2 exemplaires', 'Épuisé'; null where pieces are not counted. */
export function availabilityText({ availability, stock }: Available): string | null {
  switch (availability) {
    case "in_stock":
      return "En stock";
    case "low":
      return stock === 1
        ? "Plus que 1 exemplaire"
        : `Plus que ${formatNumber(stock ?? 0)} exemplaires`;
    case "sold_out":
      return "Épuisé";
    default:
      return null;
  }
}
