import { listTagsPage } from "@/lib/catalogue/queries";
import { tagResource } from "@/lib/catalogue/resource";
import { CACHE_TAGS } from "@/lib/http/cache-tags";
import { pagingQuery } from "@/lib/http/paging";
import { collectionOf } from "@/lib/http/reply";
import { methods, route } from "@/lib/http/route";

// GET /api/tags – all tags, by name
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lister les étiquettes",
    query: pagingQuery,
    cache: () => ({ tags: [CACHE_TAGS.tags] }),
    run: ({ query }) => listTagsPage(query),
    reply: collectionOf(tagResource),
  }),
});
