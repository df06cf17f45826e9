import { callApi } from "@/lib/api-client";
import { downloadFile } from "@/lib/browser/download-file";
import type { JsonOf } from "@/lib/http/api/resource";
import type { shipmentResource } from "@/lib/orders/resource";
import type { StepAnswer } from "./schemas";

export type ShipmentJson = JsonOf<typeof shipmentResource>;

/** A step of an order that needs no further input. @throws ApiError */
export const takeStep = (orderId: number, step: "prepare" | "deliver"): Promise<StepAnswer> =>
  callApi(`/api/admin_orders/${orderId}/${step}`, { as: "session", method: "POST" });

/** POST /api/admin_orders/{id}/shipments. @throws ApiError */
export const sendParcel = (
  orderId: number,
  json: {
    carrier: string;
    trackingNumber: string;
    items: { item: number; quantity: number }[];
    /** The order's version that admins saw: prevents sending a parcel twice. */
    version: number;
  },
): Promise<ShipmentJson> =>
  callApi(`/api/admin_orders/${orderId}/shipments`, { as: "session", method: "POST", json });

/** PUT /api/shipments/{id}. @throws ApiError */
export const correctParcel = (
  id: number,
  json: {
    carrier: string;
    trackingNumber: string;
    /** The parcel's version that admins saw. */
    version: number;
  },
): Promise<ShipmentJson> => callApi(`/api/shipments/${id}`, { as: "session", method: "PUT", json });

/** Downloads the packing slips of some orders as one PDF. @throws ApiError */
export const printPackingSlips = (orderIds: readonly number[]): Promise<void> =>
  downloadFile({
    path: "/api/packing_slips",
    method: "POST",
    json: { orders: orderIds },
    name: "bons-de-preparation.pdf",
  });
