import { z } from "zod";
import { afterResponse } from "@/lib/http/after-response";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { retryFailedMails } from "@/lib/mail/failed";
import { mailWorker } from "@/lib/mail/worker";

const report = z.object({ retried: z.int().meta({ description: "E-mails repris" }) });

// POST /api/admin/mails_retry – retries the mails that failed for good
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "admin",
    summary: "Reprendre les e-mails abandonnés",
    run: async () => {
      const retried = await retryFailedMails();
      afterResponse(mailWorker.trigger);
      return { retried };
    },
    reply: json(report),
  }),
});
