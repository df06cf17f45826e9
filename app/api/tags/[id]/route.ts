import { adminTagResource } from "@/lib/catalogue/admin-resource";
import { labelChange } from "@/lib/catalogue/admin-schemas";
import { requireLabel } from "@/lib/catalogue/label-admin";
import { deleteTag, updateLabel } from "@/lib/catalogue/label-changes";
import { requireTag } from "@/lib/catalogue/labels";
import { tagResource } from "@/lib/catalogue/resource";
import { idParams } from "@/lib/http/api/ids";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

const summary = "Lire une étiquette";

// GET, PUT, DELETE /api/tags/{id} – one tag; administrators see its products
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: route({
      access: "admin",
      summary,
      params: idParams,
      run: ({ params }) => requireLabel({ kind: "tag", id: params.id }),
      reply: adminTagResource,
    }),
    others: route({
      access: "public",
      summary,
      params: idParams,
      cache: () => ({ tags: [CACHE_TAGS.tags] }),
      run: ({ params }) => requireTag(params.id),
      reply: tagResource,
    }),
  }),
  PUT: route({
    access: "admin",
    summary: "Modifier une étiquette",
    params: idParams,
    body: labelChange,
    refusals: [409],
    run: ({ user, params, body }) =>
      updateLabel({ kind: "tag", actor: user, id: params.id, input: body }),
    reply: adminTagResource,
  }),
  DELETE: route({
    access: "admin",
    summary: "Supprimer une étiquette",
    description: "Ses produits la perdent.",
    params: idParams,
    run: ({ user, params }) => deleteTag({ actor: user, id: params.id }),
    reply: 204,
  }),
});
