import { z } from "zod";
import { API_INDEX } from "@/app/api";
import { docsLink } from "@/lib/http/api/docs-link";
import { entrypoint } from "@/lib/http/api/hydra";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api – the entry point: the address of each collection
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire le point d'entrée",
    run: () => undefined,
    reply: {
      ...json(z.record(z.string(), z.string())),
      text: (_, { format }) => JSON.stringify(entrypoint({ index: API_INDEX, format })),
      headers: (_, request) => ({
        Link: docsLink(request),
        "Cache-Control": "private, no-cache",
      }),
    },
  }),
});
