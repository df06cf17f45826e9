import { document } from "@/lib/http/document";
import { openApi } from "@/lib/http/openapi";
import { file } from "@/lib/http/reply";
import { methods, route } from "@/lib/http/route";

const answer = document({
  contentType: "application/json; charset=utf-8",
  make: () => JSON.stringify(openApi()),
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
