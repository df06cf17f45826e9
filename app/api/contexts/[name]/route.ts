import { z } from "zod";
import { fail } from "@/lib/errors/failure";
import { contextOf } from "@/lib/http/api/hydra";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/contexts/{name} – the JSON-LD context of a class
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Lire le contexte JSON-LD d'une classe",
    params: z.object({ name: z.string().describe("Nom de la classe, par exemple Product") }),
    run: async ({ params }) => {
      // Imported here, since the index imports this file.
      const { API_INDEX } = await import("@/app/api");
      const context = contextOf({ index: API_INDEX, name: params.name });
      if (!context) throw fail.notFound("Ce contexte n'existe pas.");
      return context;
    },
    reply: json(z.record(z.string(), z.unknown())),
  }),
});
