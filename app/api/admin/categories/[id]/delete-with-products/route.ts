import { deleteCategoryWithProducts } from "@/lib/catalogue/label-changes";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";

// DELETE /api/admin/categories/{id}/delete-with-products – a category and the products under it
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  DELETE: route({
    access: "admin",
    summary: "Supprimer une catégorie avec ses produits",
    description:
      "Les produits dont elle est la catégorie par défaut partent avec elle, tous ou aucun.",
    params: idParams,
    run: ({ user, params }) => deleteCategoryWithProducts({ actor: user, id: params.id }),
    reply: 204,
  }),
});
