import { requireAdminProduct } from "@/lib/catalogue/admin";
import { deleteProduct, updateProduct } from "@/lib/catalogue/admin-changes";
import { physicalProductResource } from "@/lib/catalogue/admin-resource";
import { PRODUCT_BODY_LIMIT, physicalProductChange } from "@/lib/catalogue/admin-schemas";
import { methods } from "@/lib/http/api/route";
import { staffDelete, staffRead, staffUpdate } from "@/lib/http/api/staff";

// GET, PUT, DELETE /api/physical_products/{id} – one physical product; PUT also turns a digital product into one
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: staffRead({
    summary: "Lire un produit physique",
    run: ({ id }) => requireAdminProduct({ type: "physical", id }),
    reply: physicalProductResource,
  }),
  PUT: staffUpdate({
    summary: "Modifier un produit physique",
    description:
      "Un produit de l'autre sorte en devient un de celle-ci, sans les champs de l'autre.",
    body: physicalProductChange,
    bodyLimit: PRODUCT_BODY_LIMIT,
    run: ({ actor, id, input }) => updateProduct({ type: "physical", actor, id, input }),
    reply: physicalProductResource,
  }),
  DELETE: staffDelete({
    summary: "Supprimer un produit physique",
    run: ({ actor, id }) => deleteProduct({ actor, id, type: "physical" }),
  }),
});
