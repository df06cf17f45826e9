import { idParams } from "@/lib/http/api/ids";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { deliverOrder } from "@/lib/shipments/mutations";
import { stepAnswer } from "@/lib/shipments/schemas";

// POST /api/admin_orders/{id}/deliver – marks an order as delivered, with all of its parcels
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "admin",
    summary: "Marquer une commande comme livrée",
    description: "Tous ses colis le sont alors.",
    params: idParams,
    refusals: [409],
    run: ({ user, params }) => deliverOrder({ actor: user, id: params.id }),
    reply: json(stepAnswer),
  }),
});
