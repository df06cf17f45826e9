import { isoDateTime } from "@/lib/dates";
import { fail } from "@/lib/errors/failure";
import { answerPdf } from "@/lib/invoices/answer";
import type { PackingSlip } from "@/lib/invoices/packing-slips";
import { type AdminOrderRow, requireOrders } from "@/lib/orders/admin";
import { addressesOf } from "@/lib/orders/rules";
import { readSeller } from "@/lib/seller/queries";
import { SHOP_NAME } from "@/lib/shop/shop-name";
import { NOTHING_TO_PACK } from "./texts";

/**
 * The packing slips of some orders as one PDF, in the given order. Orders with nothing left to send are left out.
 *
 * @throws 422 for an unknown order, or where nothing is left to send; 503 where too many sheets are waiting
 */
export async function answerPackingSlips(orderIds: readonly number[]): Promise<Response> {
  const found = await requireOrders(orderIds);
  const slips = found.map(slipOf).filter(({ lines }) => lines.length > 0);
  if (slips.length === 0) throw fail.violation("orders", NOTHING_TO_PACK);
  const { legalName, address } = await readSeller();
  const seller = { name: legalName || SHOP_NAME, address: [...address] };
  return answerPdf({
    sheet: { kind: "packing-slips", seller, slips },
    name: "bons-de-preparation.pdf",
  });
}

function slipOf(order: AdminOrderRow): PackingSlip {
  const { firstName, lastName } = order.user ?? {
    firstName: order.buyerFirstName,
    lastName: order.buyerLastName,
  };
  const isOpen = order.status === "paid" || order.status === "preparing";
  const lines = order.items.flatMap(({ product: { id, name }, toSend: quantity }) =>
    quantity > 0 ? [{ name, reference: id === null ? "–" : `n° ${id}`, quantity }] : [],
  );
  return {
    orderNumber: order.number,
    orderedAt: isoDateTime(order.orderedAt),
    recipient: `${firstName} ${lastName}`.trim(),
    address: addressesOf(order).shippingAddress,
    shippingMethod: order.shippingMethod,
    lines: isOpen ? lines : [],
  };
}
