import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { requireAnyOrder } from "@/lib/orders/admin";
import { deleteOrder, updateOrder } from "@/lib/orders/admin-changes";
import { adminOrderResource } from "@/lib/orders/admin-resource";
import { adminOrderChange } from "@/lib/orders/admin-schemas";

// GET, PUT, DELETE /api/admin_orders/{id} – any order
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire une commande, en tant qu'administrateur",
    params: idParams,
    run: ({ params }) => requireAnyOrder({ id: params.id }),
    reply: adminOrderResource,
  }),
  PUT: route({
    access: "admin",
    summary: "Modifier une commande",
    params: idParams,
    body: adminOrderChange,
    refusals: [409],
    run: ({ user, params, body }) => updateOrder({ actor: user, id: params.id, input: body }),
    reply: adminOrderResource,
  }),
  DELETE: route({
    access: "admin",
    summary: "Supprimer une commande",
    description: "Sa facture reste.",
    params: idParams,
    run: ({ user, params }) => deleteOrder({ actor: user, id: params.id }),
    reply: 204,
  }),
});
