import { setTimeout as delay } from "node:timers/promises";
import { type Transaction, transactionWithLockTimeout } from "@/db";
import { isDatabaseTimeout, isDatabaseUnavailable } from "@/lib/errors/database-unavailable";
import { fail } from "@/lib/errors/failure";
import { sqlErrorIn } from "@/lib/errors/sql-error";

const MAX_ATTEMPTS = 3;

/** Seconds to wait for a lock. */
const LOCK_TIMEOUT = 5;

/** SQLSTATEs of deadlocks and serialisation failures. */
const RETRYABLE_CODES = new Set(["40P01", "40001"]);
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Runs a transaction, and retries it after a conflict with another transaction or a lost connection. A
 * transaction whose connection was lost may have been committed, so `run` must be idempotent. The time to
 * wait for locks is limited: after it, a customer is told to try again, and the provider sends its event
 * again.
 *
 * Lock order of rows: the user, the cart, the checkout, products, document numbers.
 */
export async function transactWithRetries<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactionWithLockTimeout(run, { seconds: LOCK_TIMEOUT });
    } catch (error) {
      const code = sqlErrorIn(error)?.code ?? "";
      if (code === LOCK_NOT_AVAILABLE) throw fail.unavailable();
      const isConnectionLost = isDatabaseUnavailable(error) && !isDatabaseTimeout(error);
      const isTransient = RETRYABLE_CODES.has(code) || isConnectionLost;
      if (attempt === MAX_ATTEMPTS || !isTransient) throw error;
      await delay(30 * attempt);
    }
  }
}
