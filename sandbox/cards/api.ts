import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { STRIPE_API_VERSION } from "@/lib/payment-provider";
import type { ApiCall, Caller } from "@/sandbox/cards/api-call";
import { ApiError, invalidParam, resourceMissing } from "@/sandbox/cards/api-error";
import { authenticate, secretKeyRequired } from "@/sandbox/cards/api-keys";
import type { CallFault, Faults } from "@/sandbox/cards/faults";
import { type Reply, readBody, send } from "@/sandbox/cards/http";
import {
  Idempotency,
  type IdempotentRequest,
  readIdempotentRequest,
  saveResponse,
} from "@/sandbox/cards/idempotency";
import { newId } from "@/sandbox/cards/ids";
import { Params } from "@/sandbox/cards/params";
import { publicPaymentIntent } from "@/sandbox/cards/payment-intents";
import type { StoredPaymentIntent } from "@/sandbox/cards/records";
import { findRoute, type Route } from "@/sandbox/cards/routes";
import type { Store, Transaction } from "@/sandbox/cards/store";

/** Browsers may call from any origin: they authenticate by key and client secret, not by cookie. */
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Request-Id, Stripe-Version, Idempotency-Key, Idempotent-Replayed, Original-Request",
};
const PREFLIGHT = {
  ...CORS,
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, Stripe-Version",
  "Access-Control-Max-Age": "86400",
};

const FORM_TYPE = "application/x-www-form-urlencoded";

/** A request that has been parsed and authorized. */
interface ApiRequest {
  route: Route;
  id: string;
  form: URLSearchParams;
  caller: Caller;
  requestId: string;
  idempotent: IdempotentRequest | null;
}

/** A response without the headers that all responses have. */
interface ApiResponse {
  status: number;
  body: string;
  headers?: Readonly<Record<string, string>>;
}

class ConnectionDropped extends Error {}

function serverError({ status = 500, isFinal = false } = {}): ApiError {
  return new ApiError({
    status,
    type: "api_error",
    message: "Une erreur s'est produite chez le prestataire de paiement.",
    headers: isFinal ? { "Stripe-Should-Retry": "false" } : {},
  });
}

/** What the shop asks for with `expand`: a payment intent, or a list of them, with the latest charges. */
function withCharges(tx: Transaction, value: unknown): unknown {
  const expand = (intent: StoredPaymentIntent) => ({
    ...intent,
    latest_charge: intent.latest_charge && tx.get("charges", intent.latest_charge),
  });
  const list = value as { object: string; data: StoredPaymentIntent[] };
  return list.object === "list"
    ? { ...list, data: list.data.map(expand) }
    : expand(value as StoredPaymentIntent);
}

/** Stripe's API over HTTP: parses and authorizes requests, replays responses, injects faults. */
export class Api {
  private readonly idempotency: Idempotency;

  constructor(
    private readonly options: {
      store: Store;
      faults: Faults;
      /** Aborted when the server stops, to end pending delays. */
      stopping: AbortSignal;
      log: (line: string) => void;
    },
  ) {
    this.idempotency = new Idempotency(options.store);
  }

  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (request.method === "OPTIONS") {
      send(response, { status: 204, headers: PREFLIGHT, body: "" });
      return;
    }
    const requestId = newId("req");
    const key = request.headers["idempotency-key"];
    const common = {
      ...CORS,
      "Request-Id": requestId,
      "Stripe-Version": STRIPE_API_VERSION,
      ...(typeof key === "string" ? { "Idempotency-Key": key } : {}),
    };
    const complete = (answer: ApiResponse): Reply => ({
      status: answer.status,
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        ...common,
        ...answer.headers,
      },
      body: answer.body,
    });
    try {
      const apiRequest = await this.read({ request, url, requestId });
      const faults = this.options.faults.takeForCall(apiRequest.route.name);
      const answer = await this.answer(apiRequest, faults);
      await this.sendWithFaults({ response, reply: complete(answer), faults });
    } catch (error) {
      if (error instanceof ConnectionDropped || this.options.stopping.aborted) response.destroy();
      // The client may have disconnected.
      else if (!response.destroyed) send(response, complete(this.errorResponse(error)));
    }
  }

  private errorResponse(error: unknown): ApiResponse {
    if (!(error instanceof ApiError)) {
      this.options.log(`Bac à sable de cartes : ${error instanceof Error ? error.stack : error}`);
      return this.errorResponse(serverError());
    }
    const { status, body, headers } = error;
    return { status, body: JSON.stringify(body), headers };
  }

  /** @throws ApiError for a malformed or unauthorized request */
  private async read({
    request,
    url,
    requestId,
  }: {
    request: IncomingMessage;
    url: URL;
    requestId: string;
  }): Promise<ApiRequest> {
    const method = request.method ?? "GET";
    const body = await readBody(request);
    const type = request.headers["content-type"]?.split(";")[0]?.trim();
    if (body !== "" && type !== FORM_TYPE)
      throw invalidParam({
        message: `Le corps de la requête doit être de type ${FORM_TYPE}.`,
      });
    const form = new URLSearchParams([...url.searchParams, ...new URLSearchParams(body)]);
    const caller = authenticate(request, form);
    const found = findRoute({ method, path: url.pathname });
    if (!found)
      throw new ApiError({
        status: 404,
        type: "invalid_request_error",
        message: `Adresse inconnue (${method}: ${url.pathname}).`,
      });
    if (found.route.access === "secret" && caller !== "secret") throw secretKeyRequired();
    const header = request.headers["idempotency-key"];
    return {
      ...found,
      form,
      caller,
      requestId,
      idempotent: readIdempotentRequest({
        header: typeof header === "string" ? header : undefined,
        method,
        path: url.pathname,
        form,
      }),
    };
  }

  private async wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.options.stopping });
  }

  /** Delays come first, so that they can be combined with other faults. */
  private async delay(faults: readonly CallFault[], when: "before" | "after"): Promise<void> {
    for (const fault of faults)
      if (fault.effect === "delay" && fault.when === when) await this.wait(fault.milliseconds);
  }

  private async answer(apiRequest: ApiRequest, faults: readonly CallFault[]): Promise<ApiResponse> {
    const { idempotent, requestId } = apiRequest;
    const known = idempotent ? this.idempotency.reserve(idempotent) : undefined;
    try {
      await this.delay(faults, "before");
      for (const fault of faults) {
        if (fault.effect === "deny")
          throw resourceMissing({ what: apiRequest.route.name, id: apiRequest.id, param: "id" });
        if (!("when" in fault) || fault.when !== "before") continue;
        if (fault.effect === "drop") throw new ConnectionDropped();
        if (fault.effect === "fail")
          return this.failInstead({ apiRequest, fault, isFirst: known === undefined });
      }
      if (known)
        return {
          status: known.status,
          body: known.body,
          headers: { "Idempotent-Replayed": "true", "Original-Request": known.requestId },
        };
      const answer = this.execute(apiRequest);
      return idempotent ? { ...answer, headers: { "Original-Request": requestId } } : answer;
    } finally {
      if (idempotent) this.idempotency.release(idempotent);
    }
  }

  /** The server error of a fault, in place of executing the request. */
  private failInstead({
    apiRequest: { idempotent, requestId },
    fault,
    isFirst,
  }: {
    apiRequest: ApiRequest;
    fault: CallFault & { effect: "fail" };
    /** Has no request with this key been answered yet? */
    isFirst: boolean;
  }): ApiResponse {
    const isFinal = fault.isRemembered && isFirst && idempotent !== null;
    const answer = this.errorResponse(serverError({ status: fault.status, isFinal }));
    if (isFinal)
      this.options.store.transact((tx) =>
        saveResponse({ tx, request: idempotent, ...answer, requestId }),
      );
    return answer;
  }

  /** Executes the request and saves its effects and its response in one transaction. */
  private execute(apiRequest: ApiRequest): ApiResponse {
    const { route, id, form, caller, requestId, idempotent } = apiRequest;
    return this.options.store.transact((tx) => {
      const params = new Params(form);
      // Already read by `authenticate`.
      params.text("key");
      const expanded = Object.values(params.group("expand"));
      const now = Math.floor(Date.now() / 1000);
      const idempotencyKey = idempotent?.key ?? null;
      const call: ApiCall = { id, params, tx, caller, requestId, idempotencyKey, now };
      let status = 200;
      let value: unknown;
      try {
        value = route.run(call);
        params.rejectUnknown();
        // A browser may call nothing but payment intents.
        if (caller === "publishable") value = publicPaymentIntent(value as StoredPaymentIntent);
        else if (expanded.some((name) => /^(?:data\.)?latest_charge$/.test(name)))
          value = withCharges(tx, value);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isOutcome) throw error;
        status = error.status;
        const body = error.body;
        const intent = body.error.payment_intent;
        value =
          intent && caller === "publishable"
            ? { error: { ...body.error, payment_intent: publicPaymentIntent(intent) } }
            : body;
      }
      const answer = { status, body: JSON.stringify(value) };
      if (idempotent) saveResponse({ tx, request: idempotent, ...answer, requestId });
      return answer;
    });
  }

  /** Sends the response with the faults that come after execution. */
  private async sendWithFaults({
    response,
    reply,
    faults,
  }: {
    response: ServerResponse;
    reply: Reply;
    faults: readonly CallFault[];
  }): Promise<void> {
    let last = reply;
    await this.delay(faults, "after");
    for (const fault of faults) {
      if (!("when" in fault) || fault.when !== "after") continue;
      if (fault.effect === "drop") throw new ConnectionDropped();
      if (fault.effect === "fail") {
        const { status, body } = this.errorResponse(serverError({ status: fault.status }));
        last = { status, headers: reply.headers, body };
      }
    }
    const slow = faults.find((fault) => fault.effect === "trickle");
    const isCut = faults.some((fault) => fault.effect === "cut");
    if (!slow && !isCut) {
      send(response, last);
      return;
    }
    const bytes = Buffer.from(last.body);
    const middle = Math.floor(bytes.length / 2);
    response.writeHead(last.status, { ...last.headers, "Content-Length": bytes.length });
    await new Promise((resolve) => response.write(bytes.subarray(0, middle), resolve));
    if (isCut) throw new ConnectionDropped();
    if (slow) await this.wait(slow.milliseconds);
    response.end(bytes.subarray(middle));
  }
}
