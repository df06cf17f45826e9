import { requireTag } from "@/lib/catalogue/queries";
import { tagResource } from "@/lib/catalogue/resource";
import { CACHE_TAGS } from "@/lib/http/cache-tags";
import { idParams } from "@/lib/http/ids";
import { methods, route } from "@/lib/http/route";

// GET /api/tags/{id} – one tag
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire une étiquette",
    params: idParams,
    cache: () => ({ tags: [CACHE_TAGS.tags] }),
    run: ({ params }) => requireTag(params.id),
    reply: tagResource,
  }),
});
