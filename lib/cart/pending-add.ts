import { readItem, removeItem, storeItem } from "@/lib/browser/expiring-item";
import { withStorage } from "@/lib/browser/storage";
import { ADD_FAILED } from "@/lib/cart/addition-texts";
import { MAX_QUANTITY } from "@/lib/cart/limits";
import { LARGEST_INT } from "@/lib/numbers";

// The product that a visitor wanted to add to the cart before the login. It is in local storage, since the
// link of the verification mail opens another tab. What happens at the login is in after-login.ts: every product's page
// loads this module.

const PENDING_KEY = "pendingAdd";
const LIFETIME = 24 * 3600 * 1000;

export interface Addition {
  productId: number;
  quantity: number;
}

/** Remembers a product until the login, for 24 hours; replaces an earlier one. */
export function rememberAddition({ productId, quantity }: Addition): void {
  storeItem(PENDING_KEY, { productId, quantity });
}

/** The remembered product, which is forgotten at once: even two tabs add it only once. */
export function takeAddition(): Addition | null {
  const fields = readItem(PENDING_KEY, { lifetime: LIFETIME });
  removeItem(PENDING_KEY);
  return fields && additionOf(fields);
}

/** An addition that the API may accept; null for anything else that somebody may have stored. */
export function additionOf({ productId, quantity }: Record<string, unknown>): Addition | null {
  return isCount(productId, LARGEST_INT) && isCount(quantity, MAX_QUANTITY)
    ? { productId, quantity }
    : null;
}

const isCount = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;

export interface AdditionOutcome extends Addition {
  /** Why the product could not be added; null if it was added. */
  failure: string | null;
  /** The product has left the shop. */
  isGone: boolean;
}

const OUTCOME_KEY = "additionOutcome";

/** Hands the outcome over to the next page of this tab. */
export function storeOutcome(outcome: AdditionOutcome): void {
  withStorage(() => sessionStorage.setItem(OUTCOME_KEY, JSON.stringify(outcome)));
}

/**
 * The outcome that the login has handed over, once.
 *
 * @param productId on a product's page, which shows why this product could not be added
 */
export function consumeOutcome(productId?: number): AdditionOutcome | null {
  const stored = withStorage(() => {
    const text = sessionStorage.getItem(OUTCOME_KEY);
    sessionStorage.removeItem(OUTCOME_KEY);
    return JSON.parse(text ?? "null") as Record<string, unknown> | null;
  });
  const addition = stored && additionOf(stored);
  if (!addition) return null;
  const outcome: AdditionOutcome = {
    ...addition,
    failure: stored.failure === null ? null : String(stored.failure || ADD_FAILED),
    isGone: stored.isGone === true,
  };
  const isForHere =
    productId === undefined || (outcome.productId === productId && outcome.failure !== null);
  return isForHere ? outcome : null;
}
