import { siteUrl } from "@/lib/env";
import { docsPage } from "@/lib/http/docs-page";
import { document } from "@/lib/http/document";
import { openApi } from "@/lib/http/openapi";
import { file } from "@/lib/http/reply";
import { methods, route } from "@/lib/http/route";

const answer = document({
  contentType: "text/html; charset=utf-8",
  // The page has styles of its own and nothing else: no script, no picture, no other host.
  headers: {
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  make: () => docsPage({ api: openApi(), origin: siteUrl() }),
});

// GET /api/docs – the documentation to read
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire la documentation dans un navigateur",
    run: ({ request }) => answer(request),
    reply: file({ contentType: "text/html", description: "Une page HTML" }),
  }),
});
