import { listHistory } from "@/lib/audit/queries";
import { historyResource } from "@/lib/audit/resource";
import { historyParams } from "@/lib/audit/schemas";
import { plainArrayPart, plainArrayQuery } from "@/lib/http/api/paging";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/admin/history/{entity}/{id} – the changes that admins made to one object, newest first
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire l'historique d'un objet",
    params: historyParams,
    query: plainArrayQuery,
    run: ({ params, query }) => listHistory({ ...params, ...plainArrayPart(query) }),
    reply: collectionOf(historyResource, {
      plainArray: true,
      path: "/api/admin/history",
    }),
  }),
});
