import { listCategoriesPage } from "@/lib/catalogue/queries";
import { categoryResource } from "@/lib/catalogue/resource";
import { CACHE_TAGS } from "@/lib/http/cache-tags";
import { pagingQuery } from "@/lib/http/paging";
import { collectionOf } from "@/lib/http/reply";
import { methods, route } from "@/lib/http/route";

// GET /api/categories – all categories, by name
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lister les catégories",
    query: pagingQuery,
    cache: () => ({ tags: [CACHE_TAGS.categories] }),
    run: ({ query }) => listCategoriesPage(query),
    reply: collectionOf(categoryResource),
  }),
});
