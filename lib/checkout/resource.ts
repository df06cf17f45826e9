import type { TextReply } from "@/lib/http/api/reply";
import { eurosFromCents } from "@/lib/money";
import type { confirmOrder } from "./mutations";
import { confirmedOrder } from "./schemas";

/** The order of a payment: 201 for the call that created it, 200 for all others. */
export const confirmationReply: TextReply<Awaited<ReturnType<typeof confirmOrder>>> = {
  kind: "text",
  status: (_, confirmation) => (confirmation?.isNew === false ? 200 : 201),
  doc: { kind: "json", schema: confirmedOrder, statuses: [201, 200] },
  text: ({ order }) =>
    JSON.stringify({ orderId: order.id, orderTotal: eurosFromCents(order.totalCents) }),
};
