import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { requireOrder } from "@/lib/orders/queries";
import { orderResource } from "@/lib/orders/resource";
import { isAdmin } from "@/lib/roles";

// GET /api/orders/{id} – an order with its items and addresses
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Lire une commande",
    params: idParams,
    run: ({ user, params }) =>
      requireOrder({ id: params.id, viewer: user, isAdmin: isAdmin(user) }),
    reply: orderResource,
  }),
});
