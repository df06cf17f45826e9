import { callApi } from "@/lib/api-client";
import type { OrderRefundsJson, RefundJson } from "./resource";

/** The body of a refund, as the dialog sends it. */
export interface RefundRequest {
  items?: { item: number; quantity: number }[];
  amount?: string;
  shipping?: boolean;
  restock?: boolean;
  reason: string;
}

/** GET /api/admin_orders/{id}/refunds. @throws ApiError */
export const getOrderRefunds = (orderId: number): Promise<OrderRefundsJson> =>
  callApi(`/api/admin_orders/${orderId}/refunds`, { as: "session" });

/**
 * POST /api/admin_orders/{id}/refunds. Idempotent: requests with the same key are one refund.
 *
 * @throws ApiError
 */
export const sendRefund = ({
  orderId,
  key,
  request,
}: {
  orderId: number;
  key: string;
  request: RefundRequest;
}): Promise<RefundJson> =>
  callApi(`/api/admin_orders/${orderId}/refunds`, {
    as: "session",
    method: "POST",
    json: request,
    headers: { "Idempotency-Key": key },
  });

/** A unique key. Not `crypto.randomUUID`: it is missing on pages without https. */
export const newRefundKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
