import type { OrderStatus } from "@/lib/shop/order-status";
import { type AddressDetail, givenDetails, type PostalAddress } from "@/lib/shop/postal-address";
import type { ProductType } from "@/lib/shop/product-type";
import { VAT_EXEMPT_NOTE } from "@/lib/shop/vat-of-place";
import type { OrderRow } from "./mutations";

/** The columns of an order's two addresses. The further lines may be missing. */
export type Addressed = Pick<
  OrderRow,
  `shipping${"Street" | "City" | "PostalCode"}` | `billing${"Street" | "City" | "PostalCode"}`
> & { [Name in DetailColumn]?: OrderRow[Name] | undefined };

type DetailColumn = `${"shipping" | "billing"}${Capitalize<AddressDetail>}`;

type DocumentedOrder = Addressed &
  Pick<OrderRow, "number" | `buyer${"FirstName" | "LastName" | "Email"}`> & {
    isVatExempt?: boolean | undefined;
  };

/** An order's two addresses, as invoices and credit notes hold them. */
export const addressesOf = (order: Addressed) => ({
  shippingAddress: {
    street: order.shippingStreet,
    city: order.shippingCity,
    postalCode: order.shippingPostalCode,
    ...givenDetails({
      recipient: order.shippingRecipient,
      company: order.shippingCompany,
      complement: order.shippingComplement,
      phone: order.shippingPhone,
    }),
  },
  billingAddress: {
    street: order.billingStreet,
    city: order.billingCity,
    postalCode: order.billingPostalCode,
    ...givenDetails({
      recipient: order.billingRecipient,
      company: order.billingCompany,
      complement: order.billingComplement,
      phone: order.billingPhone,
    }),
  },
});

/** The columns for an order's two addresses: the reverse of `addressesOf`. */
export const addressColumnsOf = ({
  shippingAddress: shipping,
  billingAddress: billing,
}: Record<"shippingAddress" | "billingAddress", PostalAddress>) => ({
  shippingStreet: shipping.street,
  shippingCity: shipping.city,
  shippingPostalCode: shipping.postalCode,
  shippingRecipient: shipping.recipient ?? "",
  shippingCompany: shipping.company ?? "",
  shippingComplement: shipping.complement ?? "",
  shippingPhone: shipping.phone ?? "",
  billingStreet: billing.street,
  billingCity: billing.city,
  billingPostalCode: billing.postalCode,
  billingRecipient: billing.recipient ?? "",
  billingCompany: billing.company ?? "",
  billingComplement: billing.complement ?? "",
  billingPhone: billing.phone ?? "",
});

/** The buyer, addresses and order number that an order's documents show. */
export const billingDetailsOf = (order: DocumentedOrder) => ({
  buyer: {
    firstName: order.buyerFirstName,
    lastName: order.buyerLastName,
    email: order.buyerEmail,
  },
  ...addressesOf(order),
  orderNumber: order.number,
  ...(order.isVatExempt && { isVatExempt: true, vatNotes: [VAT_EXEMPT_NOTE] }),
});

/** An order line, as far as it decides the order's state. */
export interface LineProgress {
  productType: ProductType;
  quantity: number;
  /** Pieces that have left. */
  shippedQuantity: number;
  /** Pieces that were refunded, or whose refund is pending. */
  refundedQuantity: number;
}

/**
 * Pieces of a line that are still to be sent. A refund counts for unsent pieces first:
 * docs/decisions/085.
 */
export const piecesToSend = ({
  productType,
  quantity,
  shippedQuantity,
  refundedQuantity,
}: LineProgress): number =>
  productType === "digital" ? 0 : Math.max(0, quantity - shippedQuantity - refundedQuantity);

/** Pieces of a line that must stay in the order: they were shipped or refunded. */
export const settledPieces = ({
  productType,
  quantity,
  shippedQuantity,
  refundedQuantity,
}: LineProgress): number =>
  Math.min(quantity, refundedQuantity + (productType === "digital" ? 0 : shippedQuantity));

/** Files count as shipped as soon as they are paid. */
export const shippedAtOnce = ({
  productType,
  quantity,
}: Pick<LineProgress, "productType" | "quantity">): number =>
  productType === "digital" ? quantity : 0;

/** The state of an order that has just been paid: an order of files only is delivered at once. */
export const firstStatus = (lines: readonly Pick<LineProgress, "productType">[]): OrderStatus =>
  lines.some(({ productType }) => productType === "physical") ? "paid" : "delivered";

/**
 * An order's state after a parcel, a refund or a change of its lines. With pieces left to send, the order is
 * not shipped. With none left, it is shipped if a parcel was sent; delivered if the buyer keeps only files;
 * cancelled if the buyer keeps nothing. Only admins set a shipped order to delivered.
 *
 * @param isAllRefunded the whole payment was refunded, for whatever reason: nothing more is sent, no file is
 *   kept
 * @param isUndecided a refund of pieces is pending. If it fails, the pieces must be sent, so the order is not
 *   cancelled yet: a cancelled order stays cancelled.
 */
export function statusAfterChange({
  status,
  lines,
  isAllRefunded,
  isUndecided,
}: {
  status: OrderStatus;
  lines: readonly LineProgress[];
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

const isKeptFile = ({ productType, quantity, refundedQuantity }: LineProgress): boolean =>
  productType === "digital" && refundedQuantity < quantity;

/** The steps by which admins advance an order. */
export type Step = "prepare" | "ship" | "deliver";

const FROM: Record<Step, readonly OrderStatus[]> = {
  prepare: ["paid"],
  // Sending a parcel implies the preparation.
  ship: ["paid", "preparing"],
  deliver: ["shipped"],
};

/** May this step follow this state? */
export const isNext = ({ step, status }: { step: Step; status: OrderStatus }): boolean =>
  FROM[step].includes(status);
