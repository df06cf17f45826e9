import { suggestionsAnswer, suggestionsQuery } from "@/lib/catalogue/suggestion-schemas";
import { getSuggestions } from "@/lib/catalogue/suggestions";
import { jsonWithHeaders } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { rateLimiter } from "@/lib/http/rate-limit";
import { networkOf } from "@/lib/http/server/network";

/** A quick typist asks twice a second; many visitors may share a network. */
const limiter = rateLimiter({ name: "suggestions", points: 600, duration: 60 });

/** Browsers keep suggestions for a minute: after a deleted letter, the former ones are shown at once. */
const HEADERS = { "Cache-Control": "public, max-age=60" };

// GET /api/suggestions – products and categories for a text that is being typed
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Proposer des produits pendant la saisie",
    query: suggestionsQuery,
    refusals: [429],
    run: async ({ query, request }) => {
      await limiter.consume(networkOf(request));
      return { body: await getSuggestions(query.q), headers: HEADERS };
    },
    reply: jsonWithHeaders(suggestionsAnswer),
  }),
});
