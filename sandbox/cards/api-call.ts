import type { Params } from "@/sandbox/cards/params";
import type { Store } from "@/sandbox/cards/store";

/** An API request as the functions that execute it, in a transaction, get it. */
export interface ApiCall {
  /** From the path; empty where it has none. */
  id: string;
  params: Params;
  store: Store;
  /** Does it come with a secret key, as opposed to a buyer's browser? */
  isShop: boolean;
}

/** Seconds since 1970, as everywhere in Stripe's API. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
