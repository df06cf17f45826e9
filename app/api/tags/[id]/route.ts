import { adminTagResource } from "@/lib/catalogue/admin-resource";
import { labelChange } from "@/lib/catalogue/admin-schemas";
import { LABEL_LISTS } from "@/lib/catalogue/label-admin";
import { deleteLabel, updateLabel } from "@/lib/catalogue/label-changes";
import { getTag } from "@/lib/catalogue/labels";
import { tagResource } from "@/lib/catalogue/resource";
import { requireRow } from "@/lib/errors";
import { idParams } from "@/lib/http/api/ids";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { staffDelete, staffRead, staffUpdate } from "@/lib/http/api/staff";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

const summary = "Lire une étiquette";

// GET, PUT, DELETE /api/tags/{id} – one tag; administrators see its products
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: staffRead({ summary, run: LABEL_LISTS.tag.one, reply: adminTagResource }),
    others: route({
      access: "public",
      summary,
      params: idParams,
      cache: () => ({ tags: [CACHE_TAGS.tags] }),
      run: async ({ params }) => requireRow(await getTag(params.id)),
      reply: tagResource,
    }),
  }),
  PUT: staffUpdate({
    summary: "Modifier une étiquette",
    body: labelChange,
    run: ({ actor, id, input }) => updateLabel({ kind: "tag", actor, id, input }),
    reply: adminTagResource,
  }),
  DELETE: staffDelete({
    summary: "Supprimer une étiquette",
    description: "Ses produits la perdent.",
    run: ({ actor, id }) => deleteLabel({ kind: "tag", actor, id }),
  }),
});
