import { methods, route } from "@/lib/http/api/route";
import { saveSeller } from "@/lib/seller/mutations";
import { readSeller } from "@/lib/seller/queries";
import { sellerResource } from "@/lib/seller/resource";
import { SELLER_BODY_LIMIT, sellerChange } from "@/lib/seller/schemas";

// GET, PUT /api/admin/seller – the seller's details on invoices
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire les coordonnées du vendeur",
    run: () => readSeller(),
    reply: sellerResource,
  }),
  PUT: route({
    access: "admin",
    summary: "Enregistrer les coordonnées du vendeur",
    description: "Les factures les portent à partir de la suivante.",
    body: sellerChange,
    bodyLimit: SELLER_BODY_LIMIT,
    refusals: [409],
    run: ({ user, body }) => saveSeller({ actor: user, input: body }),
    reply: sellerResource,
  }),
});
