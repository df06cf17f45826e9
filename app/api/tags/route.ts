import { adminTagResource } from "@/lib/catalogue/admin-resource";
import { labelInput, labelListQuery } from "@/lib/catalogue/admin-schemas";
import { LABEL_LISTS } from "@/lib/catalogue/label-admin";
import { createLabel } from "@/lib/catalogue/label-changes";
import { listTags, pageOfLabels } from "@/lib/catalogue/labels";
import { tagResource } from "@/lib/catalogue/resource";
import { pagingQuery } from "@/lib/http/api/paging";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

const summary = "Lister les étiquettes";

// GET /api/tags – all tags, by name; administrators see their products
// POST /api/tags – adds a tag
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: route({
      access: "admin",
      summary,
      query: labelListQuery,
      run: ({ query }) => LABEL_LISTS.tag.page(query),
      csv: ({ query }) => LABEL_LISTS.tag.table(query),
      reply: collectionOf(adminTagResource),
    }),
    others: route({
      access: "public",
      summary,
      query: pagingQuery,
      cache: () => ({ tags: [CACHE_TAGS.tags] }),
      run: async ({ query }) => pageOfLabels(await listTags(), query),
      reply: collectionOf(tagResource),
    }),
  }),
  POST: route({
    access: "admin",
    summary: "Ajouter une étiquette",
    body: labelInput,
    run: ({ user, body }) => createLabel({ kind: "tag", actor: user, input: body }),
    reply: adminTagResource,
  }),
});
