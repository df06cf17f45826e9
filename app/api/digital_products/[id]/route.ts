import { requireAdminProduct } from "@/lib/catalogue/admin";
import { deleteProduct, updateProduct } from "@/lib/catalogue/admin-changes";
import { digitalProductResource } from "@/lib/catalogue/admin-resource";
import { digitalProductChange, PRODUCT_BODY_LIMIT } from "@/lib/catalogue/admin-schemas";
import { methods } from "@/lib/http/api/route";
import { staffDelete, staffRead, staffUpdate } from "@/lib/http/api/staff";

// GET, PUT, DELETE /api/digital_products/{id} – one digital product; PUT also turns a physical product into one
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: staffRead({
    summary: "Lire un produit numérique",
    run: ({ id }) => requireAdminProduct({ type: "digital", id }),
    reply: digitalProductResource,
  }),
  PUT: staffUpdate({
    summary: "Modifier un produit numérique",
    description:
      "Un produit de l'autre sorte en devient un de celle-ci, sans les champs de l'autre.",
    body: digitalProductChange,
    bodyLimit: PRODUCT_BODY_LIMIT,
    run: ({ actor, id, input }) => updateProduct({ type: "digital", actor, id, input }),
    reply: digitalProductResource,
  }),
  DELETE: staffDelete({
    summary: "Supprimer un produit numérique",
    run: ({ actor, id }) => deleteProduct({ actor, id, type: "digital" }),
  }),
});
