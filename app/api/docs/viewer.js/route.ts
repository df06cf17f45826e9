import { viewerScript } from "@/lib/http/api/docs-page";
import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { staticDocument } from "@/lib/http/api/static-document";

const answer = staticDocument({
  contentType: "text/javascript; charset=utf-8",
  headers: { "Cache-Control": "public, max-age=31536000, immutable" },
  render: viewerScript,
});

// GET /api/docs/viewer.js – the script of the documentation's page
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Charger le script de la page de documentation",
    run: ({ request }) => answer(request),
    reply: file({ contentType: "text/javascript", description: "Un script" }),
  }),
});
