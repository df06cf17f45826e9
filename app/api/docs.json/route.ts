import { openApi } from "@/lib/http/api/openapi";
import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { staticDocument } from "@/lib/http/api/static-document";

const answer = staticDocument({
  contentType: "application/json; charset=utf-8",
  // Imported here, since the index imports this file.
  render: async () => JSON.stringify(openApi((await import("@/app/api")).API_INDEX)),
});

// GET /api/docs.json – the OpenAPI 3.1 document
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire la documentation OpenAPI 3.1",
    run: ({ request }) => answer(request),
    reply: file({
      contentType: "application/json",
      description: "Le document OpenAPI",
      schema: { type: "object" },
    }),
  }),
});
