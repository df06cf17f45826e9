import { requireProduct } from "@/lib/catalogue/queries";
import { productResource } from "@/lib/catalogue/resource";
import { CACHE_TAGS } from "@/lib/http/cache-tags";
import { idParams } from "@/lib/http/ids";
import { methods, route } from "@/lib/http/route";

// GET /api/products/{id} – one product
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire un produit",
    params: idParams,
    cache: ({ params }) => ({
      tags: [CACHE_TAGS.product(params.id), CACHE_TAGS.categories, CACHE_TAGS.tags],
    }),
    run: ({ params }) => requireProduct(params.id),
    reply: productResource,
  }),
});
