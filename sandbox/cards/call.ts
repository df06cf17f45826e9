import type { Params } from "@/sandbox/cards/params";
import type { Transaction } from "@/sandbox/cards/store";

/** Who asks: the shop's server, or a buyer's browser. */
export type Caller = "secret" | "publishable";

/** One request to the API, as the functions that do its work see it. */
export interface ApiCall {
  /** From the address; empty where it holds none. */
  id: string;
  params: Params;
  tx: Transaction;
  caller: Caller;
  /** As in the header Stripe-Version; null without it. */
  version: string | null;
  requestId: string;
  idempotencyKey: string | null;
  /** Seconds since 1970. */
  now: number;
}
