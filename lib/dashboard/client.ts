import type { z } from "zod";
import { callApi } from "@/lib/api-client";
import { isoDay } from "@/lib/dates";
import { type ListJson, membersOf } from "@/lib/public-api";
import type { dashboardAnswer } from "./resource";
import { firstDayOf, type OrdersPoint, PERIODS, type Period, withEmptyDays } from "./rules";

/** The response of GET /api/admin/dashboard. Amounts are in euros. */
export type DashboardJson = z.input<typeof dashboardAnswer>;

/** @throws ApiError */
export const getDashboard = (period: Period): Promise<DashboardJson> =>
  callApi(`/api/admin/dashboard?period=${period}`, { as: "session" });

/** Makes the shop retry the mails that it has given up. @throws ApiError */
export const retryFailedMails = (): Promise<unknown> =>
  callApi("/api/admin/mails_retry", { method: "POST", as: "session" });

/**
 * The sums of GET /api/orders, oldest first. A period without orders has zeros; the list is empty if the
 * shop has no orders at all.
 *
 * @throws ApiError
 */
export async function listOrderTotals({
  period,
  today,
}: {
  period: Period;
  today: Date;
}): Promise<OrdersPoint[]> {
  const query = new URLSearchParams({
    interval: PERIODS[period].interval,
    "date[after]": isoDay(firstDayOf({ period, today })),
    "date[before]": isoDay(today),
  });
  const sums = await callApi<ListJson<OrdersPoint>>(`/api/orders?${query}`, { as: "session" });
  const points = membersOf(sums).toSorted((a, b) => a.date.localeCompare(b.date));
  const hasOrders = points.length > 0 || (await anyOrderExists());
  return hasOrders ? withEmptyDays({ points, period, today }) : [];
}

/** Whether there are orders of any date. @throws ApiError */
async function anyOrderExists(): Promise<boolean> {
  const newest = await callApi<ListJson<unknown>>("/api/orders?page=1&itemsPerPage=1", {
    as: "session",
  });
  return membersOf(newest).length > 0;
}
