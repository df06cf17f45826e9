import { requireAdminProduct } from "@/lib/catalogue/admin";
import { deleteProduct, updateProduct } from "@/lib/catalogue/admin-changes";
import { adminProductResource } from "@/lib/catalogue/admin-resource";
import { PRODUCT_BODY_LIMIT } from "@/lib/catalogue/admin-schemas";
import { productChange } from "@/lib/catalogue/either-kind-schemas";
import { requireProduct } from "@/lib/catalogue/product-rows";
import { productResource } from "@/lib/catalogue/resource";
import { adminItem } from "@/lib/http/api/admin";
import { idParams } from "@/lib/http/api/ids";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

const summary = "Lire un produit";

// GET /api/products/{id} – one product; administrators see more fields
// PUT /api/products/{id} – changes the product, whatever its kind
// DELETE /api/products/{id} – removes the product from the shop
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: adminItem({ summary, run: requireAdminProduct, reply: adminProductResource }),
    others: route({
      access: "public",
      summary,
      params: idParams,
      cacheTags: ({ params }) => [
        CACHE_TAGS.product(params.id),
        CACHE_TAGS.categories,
        CACHE_TAGS.tags,
      ],
      run: ({ params }) => requireProduct(params.id),
      reply: productResource,
    }),
  }),
  PUT: adminItem({
    summary: "Modifier un produit",
    description:
      "Il garde sa sorte, sauf si une autre est envoyée : alors il perd les champs de la première. Les champs que sa sorte n'a pas sont ignorés.",
    body: productChange,
    bodyLimit: PRODUCT_BODY_LIMIT,
    run: async ({ actor, id, input: { productType, ...input } }) => {
      const type = productType ?? (await requireAdminProduct({ id })).type;
      return updateProduct({ actor, id, type, input });
    },
    reply: adminProductResource,
  }),
  DELETE: adminItem({
    summary: "Supprimer un produit",
    description:
      "Ses avis partent avec lui ; les commandes gardent ce qui a été acheté, les paniers disent qu'il n'est plus disponible.",
    run: deleteProduct,
    reply: 204,
  }),
});
