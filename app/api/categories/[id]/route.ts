import { requireCategory } from "@/lib/catalogue/queries";
import { categoryResource } from "@/lib/catalogue/resource";
import { CACHE_TAGS } from "@/lib/http/cache-tags";
import { idParams } from "@/lib/http/ids";
import { methods, route } from "@/lib/http/route";

// GET /api/categories/{id} – one category
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire une catégorie",
    params: idParams,
    cache: () => ({ tags: [CACHE_TAGS.categories] }),
    run: ({ params }) => requireCategory(params.id),
    reply: categoryResource,
  }),
});
