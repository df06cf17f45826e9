import { idParams } from "@/lib/http/api/ids";
import { pagingQuery } from "@/lib/http/api/paging";
import { collectionOf, json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { correctStock, listMovements } from "@/lib/stock/admin";
import { correctedStock, movementResource } from "@/lib/stock/admin-resource";
import { correctionInput } from "@/lib/stock/admin-schemas";
import { CORRECTED } from "@/lib/stock/texts";

// GET /api/products/{id}/stock_movements – the changes of a product's stock, newest first
// POST /api/products/{id}/stock_movements – corrects the stock
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire les mouvements de stock d'un produit",
    params: idParams,
    query: pagingQuery,
    run: ({ params, query }) => listMovements({ productId: params.id, ...query }),
    reply: collectionOf(movementResource, {
      path: "/api/products/{id}/stock_movements",
    }),
  }),
  POST: route({
    access: "admin",
    summary: "Corriger le stock d'un produit",
    description:
      "Ajoute un mouvement au stock, qui est toujours la somme des mouvements. Un produit dont le stock n'était pas compté l'est ensuite.",
    params: idParams,
    body: correctionInput,
    refusals: [409],
    run: async ({ user, params, body }) => ({
      message: CORRECTED,
      ...(await correctStock({ actor: user, productId: params.id, input: body })),
    }),
    reply: json(correctedStock, { status: 201 }),
  }),
});
