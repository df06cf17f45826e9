import type { z } from "zod";
import { callApi } from "@/lib/api-client";
import type { confirmationAnswer } from "./schemas";

/** POST /api/stock_alerts. @throws ApiError */
export const requestStockAlert = (json: { productId: number; email: string }) =>
  callApi<{ message: string }>("/api/stock_alerts", { method: "POST", json, as: "none" });

/** POST /api/stock_alerts/confirm. @throws ApiError */
export const confirmStockAlert = (token: string) =>
  callApi<z.output<typeof confirmationAnswer>>("/api/stock_alerts/confirm", {
    method: "POST",
    json: { token },
    as: "none",
  });

/** POST /api/stock_alerts/cancel. @throws ApiError */
export const cancelStockAlert = (token: string) =>
  callApi<{ message: string }>("/api/stock_alerts/cancel", {
    method: "POST",
    json: { token },
    as: "none",
  });
