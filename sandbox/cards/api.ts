import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { identify, secretKeyRequired } from "@/sandbox/cards/access";
import { ApiError, invalidParam } from "@/sandbox/cards/api-error";
import { STRIPE_API_VERSION } from "@/sandbox/cards/api-version";
import type { ApiCall, Caller } from "@/sandbox/cards/call";
import { expand } from "@/sandbox/cards/expand";
import type { CallFault, Faults } from "@/sandbox/cards/faults";
import { decodeForm, type FormHash } from "@/sandbox/cards/form";
import { jsonReply, type Reply, readBody, send } from "@/sandbox/cards/http";
import {
  Idempotency,
  type KeyedRequest,
  keyedRequest,
  remember,
} from "@/sandbox/cards/idempotency";
import { newId } from "@/sandbox/cards/ids";
import { Params } from "@/sandbox/cards/params";
import { publicIntent } from "@/sandbox/cards/payment-intents";
import type { StoredIntent } from "@/sandbox/cards/records";
import { findRoute, type Route } from "@/sandbox/cards/routes";
import type { Store } from "@/sandbox/cards/store";

/** Browsers may call from any address: they authenticate by key and client secret, not by cookie. */
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

/** What one request asks for, once it is known to be well-formed and allowed. */
interface Request {
  route: Route;
  id: string;
  form: FormHash;
  caller: Caller;
  version: string | null;
  requestId: string;
  keyed: KeyedRequest | null;
}

/** An answer without the headers that every answer has. */
interface Answer {
  status: number;
  body: string;
  headers?: Readonly<Record<string, string>>;
}

class Dropped extends Error {}

function serverError({ status = 500, isFinal = false } = {}): ApiError {
  return new ApiError({
    status,
    type: "api_error",
    message: "Une erreur s'est produite chez le prestataire de paiement.",
    headers: isFinal ? { "Stripe-Should-Retry": "false" } : {},
  });
}

/** Stripe's API over HTTP: who calls, which work, which faults, what is answered. */
export class Api {
  private readonly idempotency: Idempotency;

  constructor(
    private readonly options: {
      store: Store;
      faults: Faults;
      /** Aborted when the server stops: nobody is kept waiting. */
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
    const complete = (answer: Answer): Reply => ({
      status: answer.status,
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        ...common,
        ...answer.headers,
      },
      body: answer.body,
    });
    try {
      const asked = await this.read({ request, url, requestId });
      const faults = this.options.faults.takeForCall(asked.route.name);
      const answer = await this.answer(asked, faults);
      await this.sendWith({ response, reply: complete(answer), faults });
    } catch (error) {
      if (error instanceof Dropped || this.options.stopping.aborted) response.destroy();
      // A caller who is gone hears nothing.
      else if (!response.destroyed) send(response, complete(this.answerOf(error)));
    }
  }

  private answerOf(error: unknown): Answer {
    if (!(error instanceof ApiError)) {
      this.options.log(`Bac à sable de cartes : ${error instanceof Error ? error.stack : error}`);
      return this.answerOf(serverError());
    }
    const { status, body, headers } = jsonReply({ status: error.status, value: error.body });
    return { status, body, headers: { ...headers, ...error.headers } };
  }

  /** @throws ApiError for a request that is not even begun */
  private async read({
    request,
    url,
    requestId,
  }: {
    request: IncomingMessage;
    url: URL;
    requestId: string;
  }): Promise<Request> {
    const method = request.method ?? "GET";
    const body = await readBody(request);
    const type = request.headers["content-type"]?.split(";")[0]?.trim();
    if (body !== "" && type !== FORM_TYPE)
      throw invalidParam({
        message: `Le corps de la requête doit être de type ${FORM_TYPE}.`,
      });
    const form = decodeForm([...url.searchParams, ...new URLSearchParams(body)]);
    const caller = identify(request, form);
    const found = findRoute({ method, path: url.pathname });
    if (!found)
      throw new ApiError({
        status: 404,
        type: "invalid_request_error",
        message: `Adresse inconnue (${method}: ${url.pathname}).`,
      });
    if (found.route.access === "secret" && caller !== "secret") throw secretKeyRequired();
    const version = request.headers["stripe-version"];
    if (typeof version === "string" && !/^\d{4}-\d{2}-\d{2}(?:\.\w+)?$/.test(version))
      throw invalidParam({ message: `Version d'API incorrecte : ${version}` });
    const header = request.headers["idempotency-key"];
    return {
      ...found,
      form,
      caller,
      version: typeof version === "string" ? version : null,
      requestId,
      keyed: keyedRequest({
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

  /** Delays come first, so that they can be combined with whatever else goes wrong. */
  private async delay(faults: readonly CallFault[], when: "before" | "after"): Promise<void> {
    for (const fault of faults)
      if (fault.effect === "delay" && fault.when === when) await this.wait(fault.milliseconds);
  }

  private async answer(asked: Request, faults: readonly CallFault[]): Promise<Answer> {
    const { keyed, requestId } = asked;
    const known = keyed ? this.idempotency.reserve(keyed) : undefined;
    try {
      await this.delay(faults, "before");
      for (const fault of faults) {
        if (!("when" in fault) || fault.when !== "before") continue;
        if (fault.effect === "drop") throw new Dropped();
        if (fault.effect === "fail")
          return this.failInstead({ asked, fault, isFirst: known === undefined });
      }
      if (known)
        return {
          status: known.status,
          body: known.body,
          headers: { "Idempotent-Replayed": "true", "Original-Request": known.requestId },
        };
      const answer = this.work(asked);
      return keyed ? { ...answer, headers: { "Original-Request": requestId } } : answer;
    } finally {
      if (keyed) this.idempotency.release(keyed);
    }
  }

  /** The error of the server that comes in the place of the work. */
  private failInstead({
    asked: { keyed: request, requestId },
    fault,
    isFirst,
  }: {
    asked: Request;
    fault: CallFault & { effect: "fail" };
    /** Has no request with this key been answered before? */
    isFirst: boolean;
  }): Answer {
    const isFinal = fault.isRemembered && isFirst && request !== null;
    const answer = this.answerOf(serverError({ status: fault.status, isFinal }));
    if (isFinal)
      this.options.store.transact((tx) => remember({ tx, request, ...answer, requestId }));
    return answer;
  }

  /** Does the work, and keeps what it did and what it answered in one step. */
  private work(asked: Request): Answer {
    const { route, id, form, caller, version, requestId, keyed } = asked;
    return this.options.store.transact((tx) => {
      const params = new Params(form);
      // Read by `identify` already.
      params.text("key");
      const paths = params.list("expand");
      const now = Math.floor(Date.now() / 1000);
      const idempotencyKey = keyed?.key ?? null;
      const call: ApiCall = { id, params, tx, caller, version, requestId, idempotencyKey, now };
      let status = 200;
      let value: unknown;
      try {
        value = route.run(call);
        params.finish();
        const isIntent = (value as { object?: string }).object === "payment_intent";
        if (caller === "publishable" && isIntent) value = publicIntent(value as StoredIntent);
        value = expand({ tx, value, paths: caller === "secret" ? paths : [] });
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isOutcome) throw error;
        status = error.status;
        const body = error.body;
        const intent = body.error.payment_intent;
        value =
          intent && caller === "publishable"
            ? { error: { ...body.error, payment_intent: publicIntent(intent) } }
            : body;
      }
      const answer = { status, body: JSON.stringify(value) };
      if (keyed) remember({ tx, request: keyed, ...answer, requestId });
      return answer;
    });
  }

  /** Sends the answer, or what the faults leave of it. */
  private async sendWith({
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
      if (fault.effect === "drop") throw new Dropped();
      if (fault.effect === "fail") {
        const { status, body } = this.answerOf(serverError({ status: fault.status }));
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
    if (isCut) throw new Dropped();
    if (slow) await this.wait(slow.milliseconds);
    response.end(bytes.subarray(middle));
  }
}
