import { listOrderSumsPage } from "@/lib/dashboard/order-sums";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { listChartOrders } from "@/lib/orders/admin";
import { chartOrderResource, orderSumSchema } from "@/lib/orders/admin-resource";
import { orderChartQuery } from "@/lib/orders/admin-schemas";

const orders = collectionOf(chartOrderResource, {
  plainArray: true,
  path: "/api/orders",
  otherItems: orderSumSchema,
});

// GET /api/orders – dates and totals of all orders, or their sums by day, week or month
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les dates et les montants des commandes",
    description:
      "Sans `page` les 1000 plus récentes. Avec `interval` leurs sommes par jour, semaine ou mois : `[{date, total, count}]`, où `date` est le premier jour, en France ; les plus anciennes d'abord.",
    query: orderChartQuery,
    run: async ({ query: { interval, ...query } }) =>
      interval
        ? { sums: await listOrderSumsPage({ ...query, interval }) }
        : { page: await listChartOrders(query) },
    reply: {
      ...orders,
      status: () => 200,
      text: (found, context) =>
        found.sums ? JSON.stringify(found.sums.items) : orders.text(found.page, context),
      headers: (found, request) =>
        found.sums
          ? { "X-Total-Count": String(found.sums.total) }
          : (orders.headers?.(found.page, request) ?? {}),
    },
  }),
});
