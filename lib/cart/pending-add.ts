import { readItem, removeItem, storeItem } from "@/lib/browser/expiring-item";
import { withStorage } from "@/lib/browser/storage";
import { MAX_QUANTITY } from "@/lib/cart/limits";
import { ADD_FAILED, addFailed } from "@/lib/cart/texts";
import { LARGEST_INT } from "@/lib/numbers";
import { accessOf } from "@/lib/pages";

// The product that a visitor wanted to add to the cart before the login. It is in local storage, since the
// link of the verification mail opens another tab. The code that calls the API is loaded at the login only:
// every product's page loads this module.

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
function takeAddition(): Addition | null {
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

/** Adds the remembered product to the cart of the user who has just logged in. @returns null without one */
export async function addPending(): Promise<AdditionOutcome | null> {
  const addition = takeAddition();
  if (addition === null) return null;
  try {
    const { addToCart, refreshCart } = await import("@/lib/cart/client");
    // With the cart known, a lost response of the addition can be told from a failed one.
    await refreshCart();
    await addToCart(addition);
    return { ...addition, failure: null, isGone: false };
  } catch (error) {
    // The class of these errors is loaded only with the first call.
    const { status, details = "" } = error as { status?: number; details?: string };
    return { ...addition, failure: addFailed(details), isGone: status === 404 };
  }
}

/**
 * The page after a login that has added a product: the cart; or the product, with the reason, if it could not
 * be added. A page of the account or the back office that the visitor asked for is opened all the same.
 */
export function pageAfterAddition({
  returnTo,
  outcome: { productId, failure, isGone },
}: {
  returnTo: string;
  outcome: AdditionOutcome;
}): string {
  const [path = ""] = returnTo.split(/[?#]/, 1);
  const access = accessOf(path);
  if ((access === "user" && path !== "/cart") || access === "admin") return returnTo;
  if (failure === null || isGone) return "/cart";
  const product = `/product/${productId}`;
  return path === product ? returnTo : product;
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
