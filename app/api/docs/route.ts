import { API_INDEX } from "@/app/api";
import { siteUrl } from "@/lib/env";
import { docsPage } from "@/lib/http/api/docs-page";
import { openApi } from "@/lib/http/api/openapi";
import { file } from "@/lib/http/api/reply";
import { endpoint, route } from "@/lib/http/api/route";
import { staticDocument } from "@/lib/http/api/static-document";

const answer = staticDocument({
  contentType: "text/html; charset=utf-8",
  // The page has styles of its own and nothing else: no script, no picture, no other host.
  headers: {
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  render: () => docsPage({ api: openApi(API_INDEX), origin: siteUrl() }),
});

// GET /api/docs – the documentation to read
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint("/api/docs", {
  GET: route({
    access: "public",
    summary: "Lire la documentation dans un navigateur",
    run: ({ request }) => answer(request),
    reply: file({ contentType: "text/html", description: "Une page HTML" }),
  }),
});
