import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { importStock } from "@/lib/stock/admin";
import { importedStock } from "@/lib/stock/admin-resource";
import { IMPORT_BODY_LIMIT, importInput } from "@/lib/stock/admin-schemas";
import { imported } from "@/lib/stock/texts";

// POST /api/stock_imports – sets the stocks listed in a CSV file, all or none
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "admin",
    summary: "Importer des stocks",
    description:
      "Une ligne par produit, désigné par son ID ou son nom ; une ligne sans stock est ignorée. Si une ligne est fausse, rien n'est changé et chaque erreur nomme sa ligne.",
    body: importInput,
    bodyLimit: IMPORT_BODY_LIMIT,
    run: async ({ user, body }) => {
      const result = await importStock({ actor: user, csv: body.csv });
      return { message: imported(result.changed), ...result };
    },
    reply: json(importedStock, { status: 201 }),
  }),
});
