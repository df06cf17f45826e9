import { z } from "zod";
import { itemResource, personResource, personSchema } from "@/lib/backoffice/resource";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import type { AdminCartRow } from "./admin";

const adminCartItemResource = itemResource({
  name: "CartItem",
  description: "Un article d'un panier",
  product: "Le produit",
});

/** Anybody's cart, as administrators see it. */
export const adminCartResource = resource({
  name: "Cart",
  path: "/api/carts",
  description: "Le panier d'un utilisateur, pour les administrateurs",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    user: personSchema.describe("Utilisateur"),
    items: z.array(adminCartItemResource.schema).describe("Les articles, dans l'ordre d'ajout"),
    total: z.number().describe("Montant en euros des articles encore en vente, TVA comprise"),
    updatedAt: z.string().describe("Date du dernier ajout ou de la dernière modification"),
    version: z.int().describe("Version, augmentée par chaque modification d'un administrateur"),
  }),
  embedded: () => ({ user: personResource, items: adminCartItemResource }),
  toJson: ({ id, user, items, updatedAt, version }: AdminCartRow) => ({
    id,
    user: personResource.toJson(user),
    items: items.map(adminCartItemResource.toJson),
    total: eurosFromCents(
      items.reduce(
        (sum, { product, quantity }) =>
          sum + (product.id === null ? 0 : product.priceCents * quantity),
        0,
      ),
    ),
    updatedAt: isoDateTime(updatedAt),
    version,
  }),
});
