import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, resourceMissing } from "@/sandbox/cards/api-error";
import { type ApiRequest, readApiRequest } from "@/sandbox/cards/api-request";
import { latestCharge } from "@/sandbox/cards/charges";
import type { CallFault } from "@/sandbox/cards/faults";
import { JSON_TYPE, jsonReply, type Reply, send } from "@/sandbox/cards/http";
import { findResponse, saveResponse } from "@/sandbox/cards/idempotency";
import { Params } from "@/sandbox/cards/params";
import { newId, type StoredPaymentIntent } from "@/sandbox/cards/records";
import type { SandboxContext } from "@/sandbox/cards/server";
import type { Store } from "@/sandbox/cards/store";

/** Browsers may call from any origin: they authenticate by key and client secret, not by cookie. */
const CORS = { "Access-Control-Allow-Origin": "*" };

class ConnectionDropped extends Error {}

function serverError(status: number, { isExecuted = false } = {}): ApiError {
  const message = "Une erreur s'est produite chez le prestataire de paiement.";
  return new ApiError({ status, type: "api_error", message, isExecuted });
}

/** Stripe's API over HTTP: parses and authorizes requests, replays responses, injects faults. */
export class Api {
  /** The idempotency keys of requests in progress. */
  private readonly keysInUse = new Set<string>();

  constructor(private readonly context: SandboxContext) {}

  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (request.method === "OPTIONS") {
      send(response, { status: 204, headers: CORS, body: "" });
      return;
    }
    const complete = (reply: Reply): Reply => ({
      ...reply,
      headers: { ...JSON_TYPE, ...CORS, "Request-Id": newId("req"), ...reply.headers },
    });
    try {
      const apiRequest = await readApiRequest(request, url);
      const faults = this.context.faults.takeForCall(apiRequest.route.name);
      const answer = await this.answer(apiRequest, faults);
      await this.inject(faults, "after");
      await this.sendWithFaults(response, { reply: complete(answer), faults });
    } catch (error) {
      if (error instanceof ConnectionDropped || this.context.stopping.aborted) response.destroy();
      else if (!(error instanceof ApiError)) throw error;
      // The client may have disconnected.
      else if (!response.destroyed)
        send(response, complete(jsonReply({ error: error.details }, error.status)));
    }
  }

  private async wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.context.stopping });
  }

  /**
   * Applies faults. Delays come first, so that they can be combined with other faults.
   *
   * @throws the error that replaces the response
   */
  private async inject(faults: readonly CallFault[], when: "before" | "after"): Promise<void> {
    const due = faults.filter((fault) => "when" in fault && fault.when === when);
    for (const fault of due) if (fault.effect === "delay") await this.wait(fault.milliseconds);
    for (const fault of due) {
      if (fault.effect === "drop") throw new ConnectionDropped();
      if (fault.effect === "fail" && !fault.isRemembered) throw serverError(fault.status);
    }
  }

  /** @throws ApiError 409 while another request with the same idempotency key is in progress */
  private async answer(apiRequest: ApiRequest, faults: readonly CallFault[]): Promise<Reply> {
    const { idempotent } = apiRequest;
    const key = idempotent?.key ?? "";
    if (this.keysInUse.has(key))
      throw new ApiError({
        status: 409,
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: `Une autre requête avec cette clé d'idempotence est en cours : ${key}. Réessayez plus tard.`,
      });
    const known = idempotent && findResponse(this.context.store, idempotent);
    if (idempotent) this.keysInUse.add(key);
    try {
      await this.inject(faults, "before");
      if (!known) return this.execute(apiRequest, faults);
      const { status, body } = known;
      return { status, body, headers: { "Idempotent-Replayed": "true" } };
    } finally {
      this.keysInUse.delete(key);
    }
  }

  /** Executes the request and saves its effects and its response in one transaction. */
  private execute(apiRequest: ApiRequest, faults: readonly CallFault[]): Reply {
    const { idempotent } = apiRequest;
    const { store } = this.context;
    return store.transact(() => {
      const { status, value } = outcomeOf({ store, apiRequest, faults });
      const answer = { status, headers: {}, body: JSON.stringify(value) };
      if (!idempotent) return answer;
      saveResponse(store, { request: idempotent, answer });
      return status < 500 ? answer : { ...answer, headers: { "Stripe-Should-Retry": "false" } };
    });
  }

  /** Sends the whole response, or only its first half, or the second half after a delay. */
  private async sendWithFaults(
    response: ServerResponse,
    { reply, faults }: { reply: Reply; faults: readonly CallFault[] },
  ): Promise<void> {
    const slow = faults.find((fault) => fault.effect === "trickle");
    const isCut = faults.some((fault) => fault.effect === "cut");
    if (!slow && !isCut) {
      send(response, reply);
      return;
    }
    const bytes = Buffer.from(reply.body);
    const middle = Math.floor(bytes.length / 2);
    response.writeHead(reply.status, { ...reply.headers, "Content-Length": bytes.length });
    await new Promise((resolve) => response.write(bytes.subarray(0, middle), resolve));
    if (isCut) throw new ConnectionDropped();
    if (slow) await this.wait(slow.milliseconds);
    response.end(bytes.subarray(middle));
  }
}

/** @throws ApiError for a request that was not executed */
function outcomeOf({
  store,
  apiRequest: { route, id, form, isShop },
  faults,
}: {
  store: Store;
  apiRequest: ApiRequest;
  faults: readonly CallFault[];
}): { status: number; value: unknown } {
  try {
    const params = new Params(form, route.params);
    for (const fault of faults) {
      if (fault.effect === "deny") throw resourceMissing(id, "intent");
      if (fault.effect === "fail" && fault.isRemembered)
        throw serverError(fault.status, { isExecuted: true });
    }
    const expanded = Object.values(params.group("expand"));
    const value = route.run({ id, params, store, isShop });
    const hasCharges = expanded.some((field) => /^(?:data\.)?latest_charge$/.test(field));
    return { status: 200, value: hasCharges ? withCharges(store, value) : value };
  } catch (error) {
    if (!(error instanceof ApiError && error.isExecuted)) throw error;
    return { status: error.status, value: { error: error.details } };
  }
}

/** Applies `expand`: adds the latest charge to a payment intent, or to each of a list. */
function withCharges(store: Store, value: unknown): unknown {
  const expand = (intent: StoredPaymentIntent) => ({
    ...intent,
    latest_charge: latestCharge(store, intent),
  });
  const list = value as { object: string; data: StoredPaymentIntent[] };
  return list.object === "list"
    ? { ...list, data: list.data.map(expand) }
    : expand(value as StoredPaymentIntent);
}
