import { getHome } from "@/lib/home/queries";
import { homeResource } from "@/lib/home/resource";
import { homeQuery } from "@/lib/home/schemas";
import { methods, route } from "@/lib/http/api/route";

// GET /api/home – the lists of the home page
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire les listes de l'accueil",
    query: homeQuery,
    run: ({ query }) => getHome(query),
    reply: homeResource,
  }),
});
