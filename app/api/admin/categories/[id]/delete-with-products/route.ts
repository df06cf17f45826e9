import { deleteCategoryWithProducts } from "@/lib/catalogue/admin-labels";
import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";

// DELETE /api/admin/categories/{id}/delete-with-products – a category and the products under it
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  DELETE: adminItem({
    summary: "Supprimer une catégorie avec ses produits",
    description:
      "Les produits dont elle est la catégorie par défaut partent avec elle, tous ou aucun.",
    run: deleteCategoryWithProducts,
    reply: 204,
  }),
});
