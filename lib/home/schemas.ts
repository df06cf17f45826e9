import { z } from "zod";
import { parseId } from "@/lib/http/api/ids";

/** The query of `GET /api/home`. Ids come from the browser's storage: invalid ones are ignored. */
export const homeQuery = z.object({
  recent: z
    .array(z.string())
    .default([])
    .transform((ids) => ids.map(parseId).filter((id) => id !== null))
    .meta({ type: "array", description: "Produits consultés, le plus récent d'abord" }),
});
