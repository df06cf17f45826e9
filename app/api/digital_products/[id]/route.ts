import { requireAdminProduct } from "@/lib/catalogue/admin";
import { deleteProduct, updateProduct } from "@/lib/catalogue/admin-changes";
import { digitalProductResource } from "@/lib/catalogue/admin-resource";
import { digitalProductChange, PRODUCT_BODY_LIMIT } from "@/lib/catalogue/admin-schemas";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// GET, PUT, DELETE /api/digital_products/{id} – one digital product; PUT makes another kind one of these
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire un produit numérique",
    params: idParams,
    run: ({ params }) => requireAdminProduct({ id: params.id, type: "digital" }),
    reply: digitalProductResource,
  }),
  PUT: route({
    access: "admin",
    summary: "Modifier un produit numérique",
    description:
      "Un produit de l'autre sorte en devient un de celle-ci, sans les champs de l'autre.",
    params: idParams,
    body: digitalProductChange,
    bodyLimit: PRODUCT_BODY_LIMIT,
    refusals: [409],
    run: ({ user, params, body }) =>
      updateProduct({ actor: user, id: params.id, type: "digital", input: body }),
    reply: digitalProductResource,
  }),
  DELETE: route({
    access: "admin",
    summary: "Supprimer un produit numérique",
    params: idParams,
    run: ({ user, params }) => deleteProduct({ actor: user, id: params.id, type: "digital" }),
    reply: 204,
  }),
});
