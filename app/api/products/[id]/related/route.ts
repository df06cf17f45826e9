import { requireProduct } from "@/lib/catalogue/product-rows";
import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { listRelated } from "@/lib/related/queries";
import { relatedResource } from "@/lib/related/resource";

// GET /api/products/{id}/related – products of the same categories, and products bought together with it
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire les produits proches d'un produit",
    params: idParams,
    cacheTags: ({ params }) => [
      CACHE_TAGS.product(params.id),
      CACHE_TAGS.catalogue,
      CACHE_TAGS.availability,
    ],
    run: async ({ params }) => listRelated(await requireProduct(params.id)),
    reply: relatedResource,
  }),
});
