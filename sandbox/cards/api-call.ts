import type { Params } from "@/sandbox/cards/params";
import type { Transaction } from "@/sandbox/cards/store";

/** The kind of key: the shop's server has a secret one, a buyer's browser the publishable one. */
export type Caller = "secret" | "publishable";

/** An API request as the functions that execute it get it. */
export interface ApiCall {
  /** From the path; empty where it has none. */
  id: string;
  params: Params;
  tx: Transaction;
  caller: Caller;
  requestId: string;
  idempotencyKey: string | null;
  /** Seconds since 1970. */
  now: number;
}
