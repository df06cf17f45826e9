import { z } from "zod";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import type { ShippingMethodRow } from "./admin";
import { destinationsShape } from "./resource";

const bandSchema = z.object({
  maxWeight: z.int().describe("Poids maximal du colis en grammes, compris"),
  price: z.number().describe("Prix en euros, TVA comprise"),
});

export const shippingMethodResource = resource({
  name: "ShippingMethod",
  path: "/api/shipping_methods",
  description: "Un mode de livraison, pour les administrateurs",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    name: z.string().describe("Nom"),
    price: z
      .number()
      .describe("Prix en euros, TVA comprise ; sans effet s'il y a des tranches de poids"),
    freeFrom: z
      .number()
      .nullable()
      .describe("Valeur des objets en euros à partir de laquelle la livraison est offerte"),
    delay: z.string().describe("Délai, comme « 2 à 3 jours ouvrés »"),
    bands: z
      .array(bandSchema)
      .describe("Tranches de poids, de la plus légère à la plus lourde ; vide : tout poids"),
    ...destinationsShape,
    active: z.boolean().describe("Proposé aux clients"),
    order: z.int().describe("Ordre parmi les modes de même prix, à partir de 0"),
    version: z.int().describe("Version, augmentée par chaque modification"),
  }),
  toJson: (method: ShippingMethodRow) => ({
    id: method.id,
    name: method.name,
    price: eurosFromCents(method.priceCents),
    freeFrom: method.freeFromCents === null ? null : eurosFromCents(method.freeFromCents),
    delay: method.delay,
    bands: method.bands.map(({ maxGrams, priceCents }) => ({
      maxWeight: maxGrams,
      price: eurosFromCents(priceCents),
    })),
    zones: method.zones,
    postalCodes: method.postalCodes,
    active: method.isActive,
    order: method.position,
    version: method.version,
  }),
});
