import { listProducts, type ProductPage } from "@/lib/catalogue/queries";
import { productResource } from "@/lib/catalogue/resource";
import { productQuery, viewOfQuery } from "@/lib/catalogue/schemas";
import { CACHE_TAGS } from "@/lib/http/cache-tags";
import { collectionOf } from "@/lib/http/reply";
import { methods, route } from "@/lib/http/route";

// GET /api/products – the products that match, page by page
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lister les produits",
    description:
      "Sans résultat exact pour `search`, les produits à une faute de frappe près, avec l'en-tête `Search-Approximate: true`.",
    query: productQuery,
    // A free text is rarely asked for twice: it must not crowd the others out of the cache.
    cache: ({ query }) => (query.search ? null : { tags: [CACHE_TAGS.catalogue] }),
    run: ({ query }) => listProducts({ ...viewOfQuery(query), itemsPerPage: query.itemsPerPage }),
    reply: {
      ...collectionOf(productResource),
      headers: ({ approximate }: ProductPage): Record<string, string> =>
        approximate ? { "Search-Approximate": "true" } : {},
    },
  }),
});
