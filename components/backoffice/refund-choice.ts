import { centsFromEuros, centsOfAmount } from "@/lib/money";
import type { RefundRequest } from "@/lib/refunds/client";
import type { OrderRefundsJson, RefundJson } from "@/lib/refunds/resource";

/** What staff have chosen in the dialog of a refund. */
export interface Choice {
  /** Pieces of the order, or an amount without any. */
  mode: "items" | "amount";
  /** By the item's id. */
  quantities: Record<number, string>;
  shipping: boolean;
  restock: boolean;
  amount: string;
  reason: string;
}

type Left = OrderRefundsJson["left"];

/** "all" is everything that is left. */
export type Preselected = "all" | readonly { item: number; quantity: number }[];

export function initialChoice(left: Left, preselected?: Preselected): Choice {
  const quantities: Choice["quantities"] = {};
  for (const { item, left: pieces } of left.items) {
    const wanted =
      preselected === "all"
        ? pieces
        : (preselected?.find((each) => each.item === item)?.quantity ?? 0);
    quantities[item] = String(Math.min(wanted, pieces));
  }
  const shipping = preselected === "all" && left.shipping > 0;
  const isAll = preselected === "all";
  const choice: Choice = {
    mode: "items",
    quantities,
    shipping,
    restock: false,
    amount: "",
    reason: "",
  };
  // After a goodwill less is left than all pieces have cost.
  if (isAll && (totalCents(choice, left) ?? 0) > centsOfAmount(left.amount))
    return { ...choice, mode: "amount", amount: String(left.amount).replace(".", ",") };
  return choice;
}

/** The choice that a failed refund was made with. */
export const choiceOf = (refund: RefundJson, left: Left): Choice => {
  const hasParts = refund.items.length > 0 || refund.shipping > 0;
  return {
    ...initialChoice(left, refund.items),
    mode: hasParts ? "items" : "amount",
    shipping: refund.shipping > 0,
    restock: refund.restock,
    amount: hasParts ? "" : String(refund.amount).replace(".", ","),
    reason: refund.reason,
  };
};

/** Cents to be given back; null where the choice is not finished. */
export function totalCents(choice: Choice, left: Left): number | null {
  if (choice.mode === "amount") return choice.amount.trim() ? centsFromEuros(choice.amount) : 0;
  let total = choice.shipping ? centsOfAmount(left.shipping) : 0;
  for (const { item, price } of left.items) {
    const quantity = Number(choice.quantities[item] || 0);
    if (!Number.isInteger(quantity) || quantity < 0) return null;
    total += quantity * centsOfAmount(price);
  }
  return total;
}

export const requestOf = (choice: Choice): RefundRequest =>
  choice.mode === "amount"
    ? { amount: choice.amount.trim(), reason: choice.reason }
    : {
        items: Object.entries(choice.quantities)
          .map(([item, quantity]) => ({ item: Number(item), quantity: Number(quantity || 0) }))
          .filter(({ quantity }) => quantity > 0),
        ...(choice.shipping && { shipping: true }),
        ...(choice.restock && { restock: true }),
        reason: choice.reason,
      };
