import { idParams } from "@/lib/http/api/ids";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { prepareOrder } from "@/lib/shipments/mutations";
import { stepAnswer } from "@/lib/shipments/schemas";

// POST /api/admin_orders/{id}/prepare – marks an order as being packed
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "admin",
    summary: "Commencer la préparation d'une commande",
    params: idParams,
    refusals: [409],
    run: ({ user, params }) => prepareOrder({ actor: user, id: params.id }),
    reply: json(stepAnswer),
  }),
});
