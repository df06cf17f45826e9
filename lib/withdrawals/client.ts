import { callApi } from "@/lib/api-client";
import type { RecordedWithdrawal } from "./schemas";

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
