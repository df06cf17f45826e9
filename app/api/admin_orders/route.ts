import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { exportOrders, listAllOrders } from "@/lib/orders/admin";
import { createOrderByHand } from "@/lib/orders/admin-changes";
import { adminOrderResource } from "@/lib/orders/admin-resource";
import { adminOrderInput, orderListQuery } from "@/lib/orders/admin-schemas";

// GET /api/admin_orders – everybody's orders, page by page
// POST /api/admin_orders – an order written by hand
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les commandes de tous",
    query: orderListQuery,
    run: ({ query }) => listAllOrders(query),
    csv: ({ query }) => exportOrders(query),
    reply: collectionOf(adminOrderResource),
  }),
  POST: route({
    access: "admin",
    summary: "Ajouter une commande",
    body: adminOrderInput,
    run: ({ user, body }) => createOrderByHand({ actor: user, input: body }),
    reply: adminOrderResource,
  }),
});
