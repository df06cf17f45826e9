import { z } from "zod";
import { reconcile } from "@/lib/checkout/reconcile";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { maintain } from "@/lib/maintenance/maintain";

const query = z.object({
  due: z
    .enum(["all"])
    .optional()
    .meta({ description: "« all » : regarder aussi ce dont l'heure n'est pas venue" }),
});

const report = z.object({
  completed: z.int().meta({ description: "Paiements réussis devenus des commandes" }),
  abandoned: z.int().meta({ description: "Paiements annulés" }),
  waiting: z.int().meta({ description: "Paiements qui peuvent encore réussir" }),
  failed: z.int().meta({ description: "Paiements dont rien n'a pu être décidé" }),
  settled: z
    .object({ cancelled: z.int(), refunded: z.int(), postponed: z.int() })
    .meta({ description: "Paiements à défaire : annulés, remboursés, à reprendre plus tard" }),
  refunds: z
    .object({ succeeded: z.int(), failed: z.int(), pending: z.int() })
    .meta({ description: "Remboursements en attente : faits, échoués, encore en attente" }),
});

const settle = route({
  access: "cron",
  summary: "Mener à leur fin les paiements interrompus",
  query,
  run: async ({ query: { due } }) => {
    const isEager = due === "all";
    const done = await reconcile({ limit: 100, isEager });
    // Runs here because schedulers call this route often.
    await maintain({ isEager });
    return done;
  },
  reply: json(report),
});

// GET, POST /api/cron/checkouts – settles unfinished payments; schedulers differ in the verb
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: settle,
  POST: settle,
});
