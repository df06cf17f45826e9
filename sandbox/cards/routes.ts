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

type Run = Route["run"];

const secret = (name: string, run: Run): Route => ({ name, access: "secret", run });
const publishable = (name: string, run: Run): Route => ({ name, access: "publishable", run });

/** All API calls. `:id` stands for an object's id. */
const ROUTES: Readonly<Record<string, Route>> = {
  "POST /v1/payment_intents": secret("payment_intents.create", createPaymentIntent),
  "GET /v1/payment_intents": secret("payment_intents.list", listPaymentIntents),
  "GET /v1/payment_intents/:id": publishable("payment_intents.retrieve", retrievePaymentIntent),
  "POST /v1/payment_intents/:id": secret("payment_intents.update", updatePaymentIntent),
  "POST /v1/payment_intents/:id/confirm": publishable(
    "payment_intents.confirm",
    confirmPaymentIntent,
  ),
  "POST /v1/payment_intents/:id/cancel": secret("payment_intents.cancel", cancelPaymentIntent),
  [`POST ${AUTHENTICATION_PATH}`]: publishable("authentications.answer", authenticatePaymentIntent),
  "POST /v1/refunds": secret("refunds.create", createRefund),
  "GET /v1/refunds": secret("refunds.list", listRefunds),
  "GET /v1/refunds/:id": secret("refunds.retrieve", retrieveRefund),
  "GET /v1/disputes": secret("disputes.list", listDisputes),
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
