import { VAT_EXEMPT_NOTE } from "@/lib/shop/vat-of-place";
import type { OrderRow } from "./mutations";

/** The columns of an order's two addresses. */
export type Addressed = Pick<
  OrderRow,
  `shipping${"Street" | "City" | "PostalCode"}` | `billing${"Street" | "City" | "PostalCode"}`
>;
type BilledOrder = Addressed &
  Pick<OrderRow, "number" | `buyer${"FirstName" | "LastName" | "Email"}`> & {
    isVatExempt?: boolean | undefined;
  };

/** An order's two addresses, as invoices and credit notes hold them. */
export const addressesOf = (order: Addressed) => ({
  shippingAddress: {
    street: order.shippingStreet,
    city: order.shippingCity,
    postalCode: order.shippingPostalCode,
  },
  billingAddress: {
    street: order.billingStreet,
    city: order.billingCity,
    postalCode: order.billingPostalCode,
  },
});

/** The buyer, addresses and order number that an order's documents show. */
export const billingDetailsOf = (order: BilledOrder) => ({
  buyer: {
    firstName: order.buyerFirstName,
    lastName: order.buyerLastName,
    email: order.buyerEmail,
  },
  ...addressesOf(order),
  orderNumber: order.number,
  ...(order.isVatExempt && { isVatExempt: true, vatNotes: [VAT_EXEMPT_NOTE] }),
});
