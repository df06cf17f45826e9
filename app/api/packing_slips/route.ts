import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { answerPackingSlips } from "@/lib/shipments/packing-slips";
import { packingSlipsInput } from "@/lib/shipments/schemas";

// POST /api/packing_slips – the packing slips of several orders as one PDF
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "admin",
    summary: "Imprimer les bons de préparation de commandes",
    description: "Une commande qui n'a plus rien à envoyer n'en a pas.",
    body: packingSlipsInput,
    run: ({ body }) => answerPackingSlips(body.orders),
    reply: file({ contentType: "application/pdf", description: "Les bons, un par commande" }),
  }),
});
