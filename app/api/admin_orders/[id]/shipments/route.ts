import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { shipmentResource } from "@/lib/orders/resource";
import { sendParcel } from "@/lib/shipments/mutations";
import { shipmentInput } from "@/lib/shipments/schemas";

// POST /api/admin_orders/{id}/shipments – sends a parcel, and a mail to its buyer
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "admin",
    summary: "Expédier un colis d'une commande",
    description: "Sans « items », tout ce qui reste à envoyer. Le client reçoit un e-mail.",
    params: idParams,
    body: shipmentInput,
    refusals: [409],
    run: ({ user, params, body }) => sendParcel({ actor: user, id: params.id, input: body }),
    reply: shipmentResource,
  }),
});
