import { addFailed } from "@/lib/cart/addition-texts";
import { type AdditionOutcome, takeAddition } from "@/lib/cart/pending-add";
import { accessOf } from "@/lib/pages";

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
