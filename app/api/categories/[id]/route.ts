import { adminCategoryResource } from "@/lib/catalogue/admin-resource";
import { labelChange } from "@/lib/catalogue/admin-schemas";
import { LABEL_LISTS } from "@/lib/catalogue/label-admin";
import { deleteLabel, updateLabel } from "@/lib/catalogue/label-changes";
import { getCategory } from "@/lib/catalogue/labels";
import { categoryResource } from "@/lib/catalogue/resource";
import { requireRow } from "@/lib/errors";
import { idParams } from "@/lib/http/api/ids";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { staffDelete, staffRead, staffUpdate } from "@/lib/http/api/staff";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

const summary = "Lire une catégorie";

// GET, PUT, DELETE /api/categories/{id} – one category; administrators see its products
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: staffRead({ summary, run: LABEL_LISTS.category.one, reply: adminCategoryResource }),
    others: route({
      access: "public",
      summary,
      params: idParams,
      cache: () => ({ tags: [CACHE_TAGS.categories] }),
      run: async ({ params }) => requireRow(await getCategory(params.id)),
      reply: categoryResource,
    }),
  }),
  PUT: staffUpdate({
    summary: "Modifier une catégorie",
    body: labelChange,
    run: ({ actor, id, input }) => updateLabel({ kind: "category", actor, id, input }),
    reply: adminCategoryResource,
  }),
  DELETE: staffDelete({
    summary: "Supprimer une catégorie",
    description: "Refusé (409) si elle est la catégorie par défaut d'un produit.",
    refusals: [409],
    run: ({ actor, id }) => deleteLabel({ kind: "category", actor, id }),
  }),
});
