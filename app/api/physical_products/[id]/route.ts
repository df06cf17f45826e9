import { requireAdminProduct } from "@/lib/catalogue/admin";
import { deleteProduct, updateProduct } from "@/lib/catalogue/admin-changes";
import { physicalProductResource } from "@/lib/catalogue/admin-resource";
import { PRODUCT_BODY_LIMIT, physicalProductChange } from "@/lib/catalogue/admin-schemas";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// GET, PUT, DELETE /api/physical_products/{id} – one physical product; PUT makes another kind one of these
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire un produit physique",
    params: idParams,
    run: ({ params }) => requireAdminProduct({ id: params.id, type: "physical" }),
    reply: physicalProductResource,
  }),
  PUT: route({
    access: "admin",
    summary: "Modifier un produit physique",
    description:
      "Un produit de l'autre sorte en devient un de celle-ci, sans les champs de l'autre.",
    params: idParams,
    body: physicalProductChange,
    bodyLimit: PRODUCT_BODY_LIMIT,
    refusals: [409],
    run: ({ user, params, body }) =>
      updateProduct({ actor: user, id: params.id, type: "physical", input: body }),
    reply: physicalProductResource,
  }),
  DELETE: route({
    access: "admin",
    summary: "Supprimer un produit physique",
    params: idParams,
    run: ({ user, params }) => deleteProduct({ actor: user, id: params.id, type: "physical" }),
    reply: 204,
  }),
});
