import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { ApiError } from "@/sandbox/cards/api-error";
import { type Faults, faultsInput } from "@/sandbox/cards/faults";
import { jsonReply, type Reply, readBody } from "@/sandbox/cards/http";
import { dispute, settleRefund } from "@/sandbox/cards/refunds";
import type { Store } from "@/sandbox/cards/store";
import { summarize } from "@/sandbox/cards/summary";
import type { WebhookSender } from "@/sandbox/cards/webhooks";

// The sandbox's own calls, for tests; Stripe has nothing like them.

const refundInput = z.strictObject({
  refund: z.string(),
  status: z.enum(["succeeded", "failed"]),
});
const disputeInput = z.strictObject({
  payment_intent: z.string(),
  status: z.enum(["needs_response", "won", "lost"]),
});
const webhookInput = z.strictObject({ url: z.url({ protocol: /^https?$/ }) });

function errorReply(status: number, message: string): Reply {
  return jsonReply({ status, value: { error: { message } } });
}

/** Only programs may call these: not a page of another site in the same browser. */
function isFromAnotherSite(request: IncomingMessage): boolean {
  const site = request.headers["sec-fetch-site"];
  return site !== undefined && site !== "none" && site !== "same-origin";
}

async function readJson<Value>(request: IncomingMessage, schema: z.ZodType<Value>): Promise<Value> {
  return schema.parse(JSON.parse(await readBody(request)));
}

export async function handleControlRequest({
  request,
  path,
  store,
  faults,
  webhooks,
}: {
  request: IncomingMessage;
  path: string;
  store: Store;
  faults: Faults;
  webhooks: WebhookSender;
}): Promise<Reply> {
  if (isFromAnotherSite(request))
    return errorReply(403, "Appel refusé : il vient d'un autre site.");
  try {
    switch (`${request.method} ${path}`) {
      case "GET /_sandbox/payments":
        return jsonReply({ value: summarize(store) });
      case "GET /_sandbox/faults":
        return jsonReply({ value: faults.list() });
      case "POST /_sandbox/faults":
        faults.add(await readJson(request, faultsInput));
        return jsonReply({ value: faults.list() });
      case "DELETE /_sandbox/faults":
        faults.clear();
        return jsonReply({ value: [] });
      case "POST /_sandbox/webhook": {
        const { url } = await readJson(request, webhookInput);
        webhooks.url = url;
        return jsonReply({ value: { url } });
      }
      case "POST /_sandbox/refund": {
        const decided = await readJson(request, refundInput);
        return jsonReply({ value: store.transact((tx) => settleRefund(tx, decided)) });
      }
      case "POST /_sandbox/dispute": {
        const decided = await readJson(request, disputeInput);
        return jsonReply({ value: store.transact((tx) => dispute(tx, decided)) });
      }
      case "POST /_sandbox/reset":
        webhooks.clear();
        faults.clear();
        store.clear();
        return jsonReply({ value: summarize(store) });
      default:
        return errorReply(404, `Adresse inconnue (${request.method}: ${path}).`);
    }
  } catch (error) {
    if (error instanceof z.ZodError) return errorReply(400, z.prettifyError(error));
    if (error instanceof ApiError) return errorReply(error.status, error.message);
    if (error instanceof SyntaxError) return errorReply(400, "Le corps doit être du JSON.");
    throw error;
  }
}
