import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { shipmentResource } from "@/lib/orders/shipment-resource";
import { updateShipment } from "@/lib/shipments/mutations";
import { requireShipment } from "@/lib/shipments/queries";
import { shipmentChange } from "@/lib/shipments/schemas";

// GET, PUT /api/shipments/{id} – a parcel; its carrier and tracking number can be corrected
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire un colis",
    params: idParams,
    run: ({ params }) => requireShipment({ id: params.id }),
    reply: shipmentResource,
  }),
  PUT: route({
    access: "admin",
    summary: "Corriger le transporteur ou le numéro de suivi d'un colis",
    params: idParams,
    body: shipmentChange,
    refusals: [409],
    run: ({ user, params, body }) => updateShipment({ actor: user, id: params.id, input: body }),
    reply: shipmentResource,
  }),
});
