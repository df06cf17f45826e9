import { centsFromEuros, centsOfAmount, eurosFromCents } from "@/lib/money";
import { wholeNumber } from "@/lib/numbers";
import type { RefundRequest } from "@/lib/refunds/client";
import type { OrderRefundsJson, RefundJson } from "@/lib/refunds/resource";

/** The choices of admins in the refund dialog. */
export interface Choice {
  /** Pieces of the order, or an amount without any. */
  mode: "items" | "amount";
  /** Typed quantities by the item's id. */
  quantities: Record<number, string>;
  shipping: boolean;
  restock: boolean;
  /** The amount as typed; null while it follows the pieces. */
  amount: string | null;
  reason: string;
}

type Remaining = OrderRefundsJson["left"];

/** "all" selects everything that is left. */
export type Preselected =
  | "all"
  | { items: readonly { item: number; quantity: number }[]; shipping: boolean };

export function initialChoice(remaining: Remaining, preselected?: Preselected): Choice {
  const quantities: Choice["quantities"] = {};
  for (const { item, left: pieces } of remaining.items) {
    const wanted =
      preselected === "all"
        ? pieces
        : (preselected?.items.find((each) => each.item === item)?.quantity ?? 0);
    quantities[item] = String(Math.min(wanted, pieces));
  }
  const isShipping = preselected === "all" || preselected?.shipping === true;
  const shipping = isShipping && remaining.shipping > 0;
  // Unsent pieces are still in stock.
  const restock = remaining.isUnsent;
  return { mode: "items", quantities, shipping, restock, amount: null, reason: "" };
}

/** The choice behind a failed refund. */
export const choiceOf = (refund: RefundJson, remaining: Remaining): Choice => {
  const hasParts = refund.items.length > 0 || refund.shipping > 0;
  const choice: Choice = {
    ...initialChoice(remaining, { items: refund.items, shipping: false }),
    mode: hasParts ? "items" : "amount",
    shipping: refund.shipping > 0,
    restock: refund.restock,
    reason: refund.reason,
  };
  const cents = centsOfAmount(refund.amount);
  return totalCents(choice, remaining) === cents ? choice : { ...choice, amount: textOf(cents) };
};

/** "42,90", as it is typed. */
const textOf = (cents: number) => eurosFromCents(cents).toFixed(2).replace(".", ",");

/** An amount as the API takes it, even if it was copied from the page: "2 140,73 €". */
const amountOf = (typed: string) => typed.replace(/[\s€]/g, "");

/** The price of the pieces and the shipping in cents; null if the choice is incomplete. */
export function priceCents(choice: Choice, remaining: Remaining): number | null {
  let total = choice.shipping ? centsOfAmount(remaining.shipping) : 0;
  for (const { item, price } of remaining.items) {
    const quantity = wholeNumber(choice.quantities[item] || "0");
    if (!Number.isInteger(quantity) || quantity < 0) return null;
    total += quantity * centsOfAmount(price);
  }
  return total;
}

/** Cents to be given back; null if the choice is incomplete. */
export function totalCents(choice: Choice, remaining: Remaining): number | null {
  const price = choice.mode === "items" ? priceCents(choice, remaining) : null;
  if (price === 0) return 0;
  if (choice.amount !== null) {
    const amount = amountOf(choice.amount);
    return amount ? centsFromEuros(amount) : 0;
  }
  if (choice.mode === "amount") return 0;
  // After a goodwill refund, less may be left than the price of the pieces.
  return price && Math.min(price, centsOfAmount(remaining.amount));
}

/** The content of the amount field. */
export function amountText(choice: Choice, remaining: Remaining): string {
  const total = choice.mode === "items" ? totalCents(choice, remaining) : null;
  return choice.amount ?? (total === null ? "" : textOf(total));
}

export function requestOf(choice: Choice, remaining: Remaining): RefundRequest {
  const { shipping, restock, reason } = choice;
  const amount = amountOf(amountText(choice, remaining));
  if (choice.mode === "amount") return { amount, reason };
  const items = Object.entries(choice.quantities)
    .map(([item, quantity]) => ({ item: Number(item), quantity: wholeNumber(quantity || "0") }))
    // NaN is kept: the API refuses it.
    .filter(({ quantity }) => quantity !== 0);
  // An amount without pieces or shipping would be a goodwill refund.
  const isLowered =
    (items.length > 0 || shipping) &&
    totalCents(choice, remaining) !== priceCents(choice, remaining);
  return {
    items,
    ...(shipping && { shipping }),
    ...(isLowered && { amount }),
    ...(restock && { restock }),
    reason,
  };
}
