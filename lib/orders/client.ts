import { callApi } from "@/lib/api-client";
import { downloadFile } from "@/lib/browser/download-file";
import { LAST_ORDER_KEY } from "@/lib/browser/session";
import { withStorage } from "@/lib/browser/storage";
import type { JsonOf } from "@/lib/http/api/resource";
import { type ListJson, membersOf } from "@/lib/public-api";
import type { orderResource, orderSummaryResource } from "./resource";

export type OrderSummaryJson = JsonOf<typeof orderSummaryResource>;
export type OrderJson = JsonOf<typeof orderResource>;

/** The query parameter of /orders that opens an order by its number. */
export const ORDER_PARAMETER = "commande";

/** The URL of an order's detail: can be shared among the buyer's devices, reloaded and mailed. */
export const orderUrl = (number: string) =>
  `/orders?${ORDER_PARAMETER}=${encodeURIComponent(number)}`;

/** GET /api/my-orders, newest first. @throws ApiError */
export async function listMyOrders(): Promise<OrderSummaryJson[]> {
  return membersOf(await callApi<ListJson<OrderSummaryJson>>("/api/my-orders", { as: "session" }));
}

/** GET /api/orders_details/{id}. Its links to files work for an hour. @throws ApiError */
export function getOrderDetail(id: number): Promise<OrderJson> {
  return callApi(`/api/orders_details/${id}`, { as: "session" });
}

/** GET /api/orders/{id}, for the confirmation page. @throws ApiError */
export function getOrder(id: number): Promise<OrderJson> {
  return callApi(`/api/orders/${id}`, { as: "session" });
}

/** Saves GET /api/invoices/{id}/download as a file. @throws ApiError */
export const downloadInvoice = (id: number): Promise<void> =>
  downloadFile({ path: `/api/invoices/${id}/download`, name: `facture-${id}.pdf` });

/** Remembers in this tab the order that has just been paid: its confirmation page may be shown. */
export function rememberLastOrder(id: number): void {
  // Without storage there is no confirmation page. The order is in the list of orders.
  withStorage(() => sessionStorage.setItem(LAST_ORDER_KEY, String(id)));
}

/** The order that has just been paid in this tab; null without one. */
export const lastOrderId = (): string | null =>
  withStorage(() => sessionStorage.getItem(LAST_ORDER_KEY)) ?? null;
