import { apiDocumentation } from "@/lib/http/api/hydra";
import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { staticDocument } from "@/lib/http/api/static-document";

const answer = staticDocument({
  contentType: "application/ld+json; charset=utf-8",
  // Imported here, since the index imports this file.
  render: async () => JSON.stringify(apiDocumentation((await import("@/app/api")).API_INDEX)),
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
