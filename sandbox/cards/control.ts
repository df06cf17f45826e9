import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { ApiError } from "@/sandbox/cards/api-error";
import { faultsInput } from "@/sandbox/cards/faults";
import { jsonReply, type Reply } from "@/sandbox/cards/http";
import { dispute, disputeDecision, refundDecision, settleRefund } from "@/sandbox/cards/refunds";
import type { SandboxContext } from "@/sandbox/cards/server";
import { summarize } from "@/sandbox/cards/summary";
import type { WebhookSender } from "@/sandbox/cards/webhooks";

// The sandbox's own endpoints for tests; Stripe has no equivalent.

const webhookInput = z.strictObject({ url: z.url({ protocol: /^https?$/ }) });

export async function handleControlRequest(
  { request, path }: { request: IncomingMessage; path: string },
  { store, faults, webhooks }: SandboxContext & { webhooks: WebhookSender },
): Promise<Reply> {
  const refuse = (status: number, message: string) => jsonReply({ error: { message } }, status);
  // Refuse requests that a page of another site sends from the developer's browser.
  const site = request.headers["sec-fetch-site"] ?? "none";
  if (site !== "none" && site !== "same-origin")
    return refuse(403, "Appel refusé : il vient d'un autre site.");
  try {
    switch (`${request.method} ${path}`) {
      case "GET /_sandbox/payments":
        return jsonReply(summarize(store));
      case "GET /_sandbox/faults":
        return jsonReply(faults.pending);
      case "POST /_sandbox/faults":
        faults.pending.push(...faultsInput.parse(await json(request)));
        return jsonReply(faults.pending);
      case "DELETE /_sandbox/faults":
        faults.pending = [];
        return jsonReply([]);
      case "POST /_sandbox/webhook":
        webhooks.url = webhookInput.parse(await json(request)).url;
        return jsonReply({ url: webhooks.url });
      case "POST /_sandbox/refund": {
        const decided = refundDecision.parse(await json(request));
        return jsonReply(store.transact(() => settleRefund(store, decided)));
      }
      case "POST /_sandbox/dispute": {
        const decided = disputeDecision.parse(await json(request));
        return jsonReply(store.transact(() => dispute(store, decided)));
      }
      case "POST /_sandbox/reset":
        webhooks.clear();
        faults.pending = [];
        store.clear();
        return jsonReply(summarize(store));
      default:
        return refuse(404, `Adresse inconnue (${request.method}: ${path}).`);
    }
  } catch (error) {
    if (error instanceof z.ZodError) return refuse(400, z.prettifyError(error));
    if (error instanceof ApiError) return refuse(error.status, error.message);
    if (error instanceof SyntaxError) return refuse(400, "Le corps doit être du JSON.");
    throw error;
  }
}
