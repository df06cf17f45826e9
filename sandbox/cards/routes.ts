import type { ApiCall, Caller } from "@/sandbox/cards/api-call";
import { AUTHENTICATION_PATH } from "@/sandbox/cards/payment-attempts";
import {
  authenticatePaymentIntent,
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  listPaymentIntents,
  retrievePaymentIntent,
  updatePaymentIntent,
} from "@/sandbox/cards/payment-intents";
import { createRefund, listDisputes, listRefunds, retrieveRefund } from "@/sandbox/cards/refunds";

export interface Route {
  /** The name that faults refer to. */
  name: string;
  /** The least key: a secret key may call everything. */
  access: Caller;
  run: (call: ApiCall) => unknown;
}

/** All API calls. `:id` stands for an object's id. */
const ROUTES: Readonly<Record<string, Route>> = {
  "POST /v1/payment_intents": {
    name: "payment_intents.create",
    access: "secret",
    run: createPaymentIntent,
  },
  "GET /v1/payment_intents": {
    name: "payment_intents.list",
    access: "secret",
    run: listPaymentIntents,
  },
  "GET /v1/payment_intents/:id": {
    name: "payment_intents.retrieve",
    access: "publishable",
    run: retrievePaymentIntent,
  },
  "POST /v1/payment_intents/:id": {
    name: "payment_intents.update",
    access: "secret",
    run: updatePaymentIntent,
  },
  "POST /v1/payment_intents/:id/confirm": {
    name: "payment_intents.confirm",
    access: "publishable",
    run: confirmPaymentIntent,
  },
  "POST /v1/payment_intents/:id/cancel": {
    name: "payment_intents.cancel",
    access: "secret",
    run: cancelPaymentIntent,
  },
  [`POST ${AUTHENTICATION_PATH}`]: {
    name: "authentications.answer",
    access: "publishable",
    run: authenticatePaymentIntent,
  },
  "POST /v1/refunds": { name: "refunds.create", access: "secret", run: createRefund },
  "GET /v1/refunds": { name: "refunds.list", access: "secret", run: listRefunds },
  "GET /v1/disputes": { name: "disputes.list", access: "secret", run: listDisputes },
  "GET /v1/refunds/:id": { name: "refunds.retrieve", access: "secret", run: retrieveRefund },
};

const COLLECTIONS = new Set(["payment_intents", "refunds"]);

/** undefined for an unknown path or method. */
export function findRoute({
  method,
  path,
}: {
  method: string;
  path: string;
}): { route: Route; id: string } | undefined {
  const exact = ROUTES[`${method} ${path}`];
  if (exact) return { route: exact, id: "" };
  const [, version, collection = "", id = "", ...rest] = path.split("/");
  if (!COLLECTIONS.has(collection) || id === "") return undefined;
  const pattern = ["", version, collection, ":id", ...rest].join("/");
  const route = ROUTES[`${method} ${pattern}`];
  // Ids need no percent-encoding: an encoded one is not found.
  return route && { route, id };
}
