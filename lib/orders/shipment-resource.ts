import { z } from "zod";
import { isoDateTime } from "@/lib/dates";
import { iriOf, resource } from "@/lib/http/api/resource";
import { trackingUrl } from "@/lib/shipments/rules";
import type { Shipment } from "./shipments";

const moment = z.iso.datetime({ offset: true });

const fields = {
  id: z.int().describe("Identifiant"),
  carrier: z.string().describe("Transporteur"),
  trackingNumber: z.string().nullable().describe("Numéro de suivi"),
  trackingUrl: z
    .url()
    .nullable()
    .describe("Page de suivi du transporteur, si le numéro et la page sont connus"),
  shippedAt: moment.describe("Date d'expédition"),
  deliveredAt: moment.nullable().describe("Date de livraison"),
  items: z
    .array(
      z.object({
        item: z.int().describe("Identifiant de la ligne de la commande"),
        name: z.string().describe("Nom lors de l'achat"),
        quantity: z.int().describe("Nombre de pièces dans le colis"),
      }),
    )
    .describe("Le contenu"),
};

const jsonOf = (shipment: Shipment) => ({
  id: shipment.id,
  carrier: shipment.carrier,
  trackingNumber: shipment.trackingNumber,
  trackingUrl: trackingUrl(shipment),
  shippedAt: isoDateTime(shipment.shippedAt),
  deliveredAt: shipment.deliveredAt && isoDateTime(shipment.deliveredAt),
  items: shipment.items.map(({ lineId, name, quantity }) => ({ item: lineId, name, quantity })),
});

const version = z.int().describe("Version, augmentée par chaque modification");

/** A parcel in its order, as the buyer sees it. */
export const orderShipmentResource = resource({
  name: "OrderShipment",
  path: null,
  description: "Un colis d'une commande",
  schema: z.object(fields),
  toJson: jsonOf,
});

/** A parcel in its order, for administrators: they send its version back when they correct the parcel. */
export const adminOrderShipmentResource = resource({
  name: "AdminOrderShipment",
  path: null,
  description: "Un colis d'une commande, pour les administrateurs",
  schema: z.object({ ...fields, version }),
  toJson: (shipment: Shipment) => ({ ...jsonOf(shipment), version: shipment.version }),
});

/** A parcel outside its order, for administrators. */
export const shipmentResource = resource({
  name: "Shipment",
  path: "/api/shipments",
  description: "Un colis, pour les administrateurs",
  schema: z.object({
    ...fields,
    order: iriOf("admin_orders").describe("La commande"),
    version,
  }),
  toJson: (shipment: Shipment) => ({
    ...jsonOf(shipment),
    order: `/api/admin_orders/${shipment.orderId}`,
    version: shipment.version,
  }),
});
