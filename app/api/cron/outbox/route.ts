import { z } from "zod";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { countUnsentMails, deliverDueMails } from "@/lib/mail/delivery";
import { retryFailedMails } from "@/lib/mail/failed";

const query = z.object({
  failed: z
    .enum(["retry"])
    .optional()
    .meta({ description: "« retry » : reprendre d'abord les e-mails abandonnés" }),
});

const report = z.object({
  sent: z.int().meta({ description: "E-mails envoyés" }),
  retried: z.int().meta({ description: "E-mails à réessayer plus tard" }),
  failed: z.int().meta({ description: "E-mails abandonnés" }),
  unsent: z
    .object({ pending: z.int(), failed: z.int() })
    .meta({ description: "Ce qui reste dans la boîte d'envoi : en attente, abandonnés" }),
});

const deliver = route({
  access: "cron",
  summary: "Envoyer les e-mails en attente",
  query,
  run: async ({ query: { failed } }) => {
    if (failed === "retry") await retryFailedMails();
    const delivered = await deliverDueMails({ limit: 100 });
    return { ...delivered, unsent: await countUnsentMails() };
  },
  reply: json(report),
});

// GET, POST /api/cron/outbox – delivers the mails that are due; schedulers differ in the verb
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: deliver,
  POST: deliver,
});
