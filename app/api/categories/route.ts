import { adminCategoryResource } from "@/lib/catalogue/admin-resource";
import { labelInput, labelListQuery } from "@/lib/catalogue/admin-schemas";
import { LABEL_LISTS } from "@/lib/catalogue/label-admin";
import { createLabel } from "@/lib/catalogue/label-changes";
import { listCategories, pageOfLabels } from "@/lib/catalogue/labels";
import { categoryResource } from "@/lib/catalogue/resource";
import { pagingQuery } from "@/lib/http/api/paging";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

const summary = "Lister les catégories";

// GET /api/categories – all categories, by name; administrators see their products
// POST /api/categories – adds a category
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: route({
      access: "admin",
      summary,
      query: labelListQuery,
      run: ({ query }) => LABEL_LISTS.category.page(query),
      csv: ({ query }) => LABEL_LISTS.category.table(query),
      reply: collectionOf(adminCategoryResource),
    }),
    others: route({
      access: "public",
      summary,
      query: pagingQuery,
      cache: () => ({ tags: [CACHE_TAGS.categories] }),
      run: async ({ query }) => pageOfLabels(await listCategories(), query),
      reply: collectionOf(categoryResource),
    }),
  }),
  POST: route({
    access: "admin",
    summary: "Ajouter une catégorie",
    body: labelInput,
    run: ({ user, body }) => createLabel({ kind: "category", actor: user, input: body }),
    reply: adminCategoryResource,
  }),
});
