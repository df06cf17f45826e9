import { DOCS_POLICY, docsPage } from "@/lib/http/api/docs-page";
import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { staticDocument } from "@/lib/http/api/static-document";

const answer = staticDocument({
  contentType: "text/html; charset=utf-8",
  headers: { "Content-Security-Policy": DOCS_POLICY },
  render: docsPage,
});

// GET /api/docs – the documentation as a web page
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire la documentation dans un navigateur",
    run: ({ request }) => answer(request),
    reply: file({ contentType: "text/html", description: "Une page HTML" }),
  }),
});
