import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";
import { shipmentResource } from "@/lib/orders/resource";
import { updateShipment } from "@/lib/shipments/mutations";
import { requireShipment } from "@/lib/shipments/queries";
import { shipmentChange } from "@/lib/shipments/schemas";

// GET, PUT /api/shipments/{id} – a parcel; its carrier and tracking number can be corrected
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: adminItem({ summary: "Lire un colis", run: requireShipment, reply: shipmentResource }),
  PUT: adminItem({
    summary: "Corriger le transporteur ou le numéro de suivi d'un colis",
    body: shipmentChange,
    run: updateShipment,
    reply: shipmentResource,
  }),
});
