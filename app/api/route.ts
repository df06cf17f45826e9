import { z } from "zod";
import { docsLink } from "@/lib/http/api/docs-link";
import { entrypoint } from "@/lib/http/api/hydra";
import { methods, route } from "@/lib/http/api/route";

// GET /api – the entry point: the address of each collection
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire le point d'entrée",
    run: async () => {
      // Imported here, since the index imports this file.
      const { API_INDEX: index } = await import("@/app/api");
      return {
        ld: entrypoint({ index, format: "ld" }),
        json: entrypoint({ index, format: "json" }),
      };
    },
    reply: {
      kind: "text",
      status: () => 200,
      doc: { kind: "json", schema: z.record(z.string(), z.string()) },
      text: (addresses, { format }) => JSON.stringify(addresses[format]),
      headers: (_, request) => ({
        Link: docsLink(request),
        "Cache-Control": "private, no-cache",
      }),
    },
  }),
});
