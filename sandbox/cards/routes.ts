import { DOCUMENTED_PARAMS, type DocumentedCall } from "@/sandbox/cards/documented-params";
import type { ApiCall } from "@/sandbox/cards/params";
import {
  AUTHENTICATION_PATH,
  authenticatePaymentIntent,
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  listPaymentIntents,
  requirePaymentIntent,
  updatePaymentIntent,
} from "@/sandbox/cards/payment-intents";
import { createRefund, listDisputes, listRefunds } from "@/sandbox/cards/refunds";

export interface Route {
  /** The name that faults refer to. */
  name: string;
  /** Whether a buyer's browser may call it, with the client secret instead of a secret key. */
  isForBuyers: boolean;
  params: ReadonlySet<string>;
  run: (call: ApiCall) => unknown;
}

/** Parameters that browsers send in addition to the documented ones. */
const BROWSER_PARAMS = ["key", "client_secret"];

const forShop = (name: DocumentedCall, run: Route["run"]): Route => ({
  name,
  isForBuyers: false,
  params: new Set(Object.keys(DOCUMENTED_PARAMS[name])),
  run,
});

const forBuyers = (name: DocumentedCall, run: Route["run"]): Route => ({
  name,
  isForBuyers: true,
  params: new Set([...Object.keys(DOCUMENTED_PARAMS[name]), ...BROWSER_PARAMS]),
  run,
});

/** All API calls. `:id` stands for a payment intent's id. */
const ROUTES: Readonly<Record<string, Route>> = {
  "POST /v1/payment_intents": forShop("payment_intents.create", createPaymentIntent),
  "GET /v1/payment_intents": forShop("payment_intents.list", listPaymentIntents),
  "GET /v1/payment_intents/:id": forBuyers("payment_intents.retrieve", requirePaymentIntent),
  "POST /v1/payment_intents/:id": forShop("payment_intents.update", updatePaymentIntent),
  "POST /v1/payment_intents/:id/confirm": forBuyers(
    "payment_intents.confirm",
    confirmPaymentIntent,
  ),
  "POST /v1/payment_intents/:id/cancel": forShop("payment_intents.cancel", cancelPaymentIntent),
  // Specific to the sandbox: Stripe does not document how a browser sends the result.
  [`POST ${AUTHENTICATION_PATH}`]: {
    name: "authentications.answer",
    isForBuyers: true,
    params: new Set(["source", "outcome", ...BROWSER_PARAMS]),
    run: authenticatePaymentIntent,
  },
  "POST /v1/refunds": forShop("refunds.create", createRefund),
  "GET /v1/refunds": forShop("refunds.list", listRefunds),
  "GET /v1/disputes": forShop("disputes.list", listDisputes),
};

/** undefined for an unknown path or method. */
export function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  const pattern = path.replace(/^(\/v1\/payment_intents\/)[^/]+/, "$1:id");
  const route = ROUTES[`${method} ${pattern}`];
  return route && { route, id: pattern === path ? "" : (path.split("/")[3] ?? "") };
}
