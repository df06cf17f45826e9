import { AUTHENTICATION_PATH } from "@/sandbox/cards/attempts";
import type { ApiCall, Caller } from "@/sandbox/cards/call";
import { getCharge, listCharges } from "@/sandbox/cards/charges";
import { getEvent, listEvents } from "@/sandbox/cards/events";
import {
  authenticateIntent,
  cancelIntent,
  captureIntent,
  confirmIntent,
  createIntent,
  getIntent,
  listIntents,
  updateIntent,
} from "@/sandbox/cards/payment-intents";
import { getMethod, postMethod } from "@/sandbox/cards/payment-methods";
import { createRefund, getRefund, listRefunds } from "@/sandbox/cards/refunds";

export interface Route {
  /** What tests call it when they want it to go wrong. */
  name: string;
  /** With which key: what browsers may call, the shop's server may call, too. */
  access: Caller;
  run: (call: ApiCall) => unknown;
}

/** Every call there is. `:id` stands for one object. */
const ROUTES: Readonly<Record<string, Route>> = {
  "POST /v1/payment_intents": {
    name: "payment_intents.create",
    access: "secret",
    run: createIntent,
  },
  "GET /v1/payment_intents": { name: "payment_intents.list", access: "secret", run: listIntents },
  "GET /v1/payment_intents/:id": {
    name: "payment_intents.retrieve",
    access: "publishable",
    run: getIntent,
  },
  "POST /v1/payment_intents/:id": {
    name: "payment_intents.update",
    access: "secret",
    run: updateIntent,
  },
  "POST /v1/payment_intents/:id/confirm": {
    name: "payment_intents.confirm",
    access: "publishable",
    run: confirmIntent,
  },
  "POST /v1/payment_intents/:id/cancel": {
    name: "payment_intents.cancel",
    access: "secret",
    run: cancelIntent,
  },
  "POST /v1/payment_intents/:id/capture": {
    name: "payment_intents.capture",
    access: "secret",
    run: captureIntent,
  },
  [`POST ${AUTHENTICATION_PATH}`]: {
    name: "authentications.answer",
    access: "publishable",
    run: authenticateIntent,
  },
  "POST /v1/payment_methods": {
    name: "payment_methods.create",
    access: "publishable",
    run: postMethod,
  },
  "GET /v1/payment_methods/:id": {
    name: "payment_methods.retrieve",
    access: "secret",
    run: getMethod,
  },
  "POST /v1/refunds": { name: "refunds.create", access: "secret", run: createRefund },
  "GET /v1/refunds": { name: "refunds.list", access: "secret", run: listRefunds },
  "GET /v1/refunds/:id": { name: "refunds.retrieve", access: "secret", run: getRefund },
  "GET /v1/charges": { name: "charges.list", access: "secret", run: listCharges },
  "GET /v1/charges/:id": { name: "charges.retrieve", access: "secret", run: getCharge },
  "GET /v1/events": { name: "events.list", access: "secret", run: listEvents },
  "GET /v1/events/:id": { name: "events.retrieve", access: "secret", run: getEvent },
};

const COLLECTIONS = new Set(["payment_intents", "payment_methods", "refunds", "charges", "events"]);

/** undefined for an address or a verb that is not known. */
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
  // Ids consist of plain letters: an encoded one is none, and is not found.
  return route && { route, id };
}
