import { z } from "zod";
import { idParam } from "@/lib/http/api/ids";

/** /downloads/{line}/{file}: the order line identifies the file; the name is for the user. */
export const downloadParams = z.object({ line: idParam, file: z.string() });

/** The query that `downloadLinkFor` has signed. */
export const downloadQuery = z.object({
  user: z.string().default("").meta({ description: "Pour qui le lien a été fait" }),
  expires: z.string().default("").meta({ description: "Jusqu'à quand, en secondes depuis 1970" }),
  signature: z.string().default("").meta({ description: "Signature de la boutique" }),
});
