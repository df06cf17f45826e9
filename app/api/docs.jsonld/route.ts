import { document } from "@/lib/http/document";
import { apiDocumentation } from "@/lib/http/hydra";
import { file } from "@/lib/http/reply";
import { methods, route } from "@/lib/http/route";

const answer = document({
  contentType: "application/ld+json; charset=utf-8",
  make: () => JSON.stringify(apiDocumentation()),
});

// GET /api/docs.jsonld – the Hydra documentation
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire la documentation Hydra",
    run: ({ request }) => answer(request),
    reply: file({
      contentType: "application/ld+json",
      description: "Le document Hydra",
      schema: { type: "object" },
    }),
  }),
});
