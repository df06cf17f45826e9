import { z } from "zod";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { updateBoughtTogether } from "@/lib/related/mutations";
import { sendStockAlerts } from "@/lib/stock-alerts/mutations";

const report = z.object({
  alerts: z.int().meta({ description: "Messages écrits pour des produits de nouveau en stock" }),
  lines: z
    .int()
    .meta({ description: "Lignes de commandes lues pour les produits achetés ensemble" }),
});

const update = route({
  access: "cron",
  summary: "Prévenir du retour des produits, et trouver ceux qui s'achètent ensemble",
  description: "Peut être répété.",
  run: async () => ({
    alerts: await sendStockAlerts(),
    lines: await updateBoughtTogether({ limit: 1_000 }),
  }),
  reply: json(report),
});

// GET, POST /api/cron/products – writes due stock alerts, computes products bought together; schedulers differ in the verb
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: update,
  POST: update,
});
