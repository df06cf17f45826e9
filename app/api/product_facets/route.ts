import { facetsAnswer } from "@/lib/catalogue/facet-schemas";
import { FACET_TAGS, getFacets } from "@/lib/catalogue/facets";
import { facetsQuery, filtersOfQuery } from "@/lib/catalogue/schemas";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/product_facets – how many products each further filter would leave
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Compter les produits par filtre",
    description:
      "Mêmes filtres que `/api/products`. Chaque groupe compte comme si son propre filtre n'était pas choisi ; dans un groupe, plusieurs valeurs s'ajoutent (« ou »).",
    query: facetsQuery,
    cacheTags: ({ query }) => (query.search ? null : FACET_TAGS),
    run: ({ query }) => getFacets(filtersOfQuery(query)),
    reply: json(facetsAnswer),
  }),
});
