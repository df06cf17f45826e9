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
  /** May a buyer's browser call it, with the client secret instead of a key? */
  isForBuyers: boolean;
  run: (call: ApiCall) => unknown;
}

const forShop = (name: string, run: Route["run"]): Route => ({ name, isForBuyers: false, run });
const forBuyers = (name: string, run: Route["run"]): Route => ({ name, isForBuyers: true, run });

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
  [`POST ${AUTHENTICATION_PATH}`]: forBuyers("authentications.answer", authenticatePaymentIntent),
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
