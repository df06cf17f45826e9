import { setTimeout as delay } from "node:timers/promises";
import {
  impatientTransaction,
  isDatabaseSlow,
  isDatabaseUnavailable,
  type Transaction,
} from "@/db";
import { sqlErrorIn } from "@/db/sql-error";
import { fail } from "@/lib/errors";

const ATTEMPTS = 3;

/** Seconds to wait for what others have locked. */
const PATIENCE = 5;

/** Deadlock, serialisation failure: nothing is wrong but the moment. */
const WORTH_REPEATING = new Set(["40P01", "40001"]);
const LOCK_TIMEOUT = "55P03";

/**
 * A transaction that may run again, from its beginning, when it met another one or lost its
 * connection; whoever calls must bear that its work was done already. It does not wait for ever for
 * what others have locked: who pays is told to try again, and the provider will.
 *
 * Rows are locked in this order: the user, the cart, the checkout, products, document numbers.
 */
export async function transact<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await impatientTransaction(run, { seconds: PATIENCE });
    } catch (error) {
      const code = sqlErrorIn(error)?.code ?? "";
      if (code === LOCK_TIMEOUT) throw fail.unavailable();
      const isLost = isDatabaseUnavailable(error) && !isDatabaseSlow(error);
      const isPassing = WORTH_REPEATING.has(code) || isLost;
      if (attempt === ATTEMPTS || !isPassing) throw error;
      await delay(30 * attempt);
    }
  }
}
