import type { OrderStatus } from "@/lib/order-status";
import type { ProductType } from "@/lib/product-type";

/** What decides how far an order is: a line of it. */
export interface SentLine {
  productType: ProductType;
  quantity: number;
  /** Pieces that have left. */
  shippedQuantity: number;
  /** Pieces whose money goes back, or has gone. */
  refundedQuantity: number;
}

/**
 * Pieces of a line that are still to be sent. A refund is taken to be for pieces that have not left, as long as
 * there are any: docs/decisions/085.
 */
export const piecesToSend = ({
  productType,
  quantity,
  shippedQuantity,
  refundedQuantity,
}: SentLine): number =>
  productType === "digital" ? 0 : Math.max(0, quantity - shippedQuantity - refundedQuantity);

/** Pieces of a line that nobody can take out of the order any more: they have left, or their money has. */
export const settledPieces = ({
  productType,
  quantity,
  shippedQuantity,
  refundedQuantity,
}: SentLine): number =>
  Math.min(quantity, refundedQuantity + (productType === "digital" ? 0 : shippedQuantity));

/** Files are there as soon as they are paid. */
export const shippedAtOnce = ({
  productType,
  quantity,
}: Pick<SentLine, "productType" | "quantity">): number =>
  productType === "digital" ? quantity : 0;

/** The state of an order that has just been paid: of files alone, there is nothing to wait for. */
export const firstStatus = (lines: readonly Pick<SentLine, "productType">[]): OrderStatus =>
  lines.some(({ productType }) => productType === "physical") ? "paid" : "delivered";

/**
 * An order's state after a parcel, a refund or a change of its lines. With nothing left to send it is shipped;
 * complete, if the buyer keeps files alone; or cancelled, if the buyer keeps nothing. With something left to send
 * it is not shipped (any more). That it was delivered is for staff to say.
 *
 * @param isAllRefunded all that was paid has gone back, whatever for: nothing is sent any more, and no file is kept
 * @param isUndecided a refund of pieces may still fail, after which they are to be sent: there is no way back from
 *   cancelled
 */
export function statusAfterChange({
  status,
  lines,
  isAllRefunded,
  isUndecided,
}: {
  status: OrderStatus;
  lines: readonly SentLine[];
  isAllRefunded: boolean;
  isUndecided: boolean;
}): OrderStatus {
  if (status === "cancelled") return status;
  const isOpen = status === "paid" || status === "preparing";
  const hasParcel = lines.some(
    ({ productType, shippedQuantity }) => productType === "physical" && shippedQuantity > 0,
  );
  const isComplete = isAllRefunded || lines.every((line) => piecesToSend(line) === 0);
  if (isComplete && !isOpen) return status;
  if (isComplete && hasParcel) return "shipped";
  if (isComplete && isAllRefunded) return "cancelled";
  if (isComplete && lines.some(isKeptFile)) return "delivered";
  if (isComplete) return isUndecided ? status : "cancelled";
  if (hasParcel) return "preparing";
  return isOpen ? status : "paid";
}

const isKeptFile = ({ productType, quantity, refundedQuantity }: SentLine): boolean =>
  productType === "digital" && refundedQuantity < quantity;

/** What staff do with an order. */
export type Step = "prepare" | "ship" | "deliver";

const FROM: Record<Step, readonly OrderStatus[]> = {
  prepare: ["paid"],
  // A parcel implies the preparation.
  ship: ["paid", "preparing"],
  deliver: ["shipped"],
};

/** Does a step follow from a state? */
export const isNext = ({ step, status }: { step: Step; status: OrderStatus }): boolean =>
  FROM[step].includes(status);
