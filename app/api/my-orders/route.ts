import { plainArrayPart, plainArrayQuery } from "@/lib/http/api/paging";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { listOrders } from "@/lib/orders/queries";
import { orderSummaryResource } from "@/lib/orders/resource";

// GET /api/my-orders – the customer's orders, newest first
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Lister ses commandes",
    query: plainArrayQuery,
    run: ({ user, query }) => listOrders({ userId: user.id, ...plainArrayPart(query) }),
    reply: collectionOf(orderSummaryResource, { plainArray: true, path: "/api/my-orders" }),
  }),
});
