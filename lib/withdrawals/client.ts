import { callApi } from "@/lib/api-client";
import type { RecordedWithdrawal, WithdrawalState } from "./schemas";

/** GET /api/orders/{id}/withdrawal. @throws ApiError */
export function getWithdrawal(orderId: number): Promise<WithdrawalState> {
  return callApi(`/api/orders/${orderId}/withdrawal`, { as: "session" });
}

/** POST /api/orders/{id}/withdrawal. @throws ApiError */
export function sendWithdrawal({
  orderId,
  items,
}: {
  orderId: number;
  items: string;
}): Promise<RecordedWithdrawal> {
  return callApi(`/api/orders/${orderId}/withdrawal`, {
    as: "session",
    method: "POST",
    json: { items },
  });
}
