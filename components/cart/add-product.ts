import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import type { ApiError } from "@/lib/api-error";
import { readSession } from "@/lib/browser/session";
import { addFailed } from "@/lib/cart/addition-texts";
import { rememberAddition } from "@/lib/cart/pending-add";
import { plainReturnPath } from "@/lib/guards";

/**
 * - `added`: the cart opens soon
 * - `stayed`: added, and the visitor has chosen to stay on the page
 * - `listed`: added from a list, where the visitor stays
 * - `logged-out`: remembered until the login, which returns to this page
 */
export type AddResult =
  | { kind: "added" | "stayed" | "listed" }
  | { kind: "logged-out"; returnTo: string }
  | { kind: "failed"; text: string };

/**
 * Adds a product to the cart; for a logged-out visitor it is remembered until the login.
 *
 * @returns null where the session has ended: the login is being loaded
 */
export async function addProduct({
  id,
  name,
  quantity,
}: {
  id: number;
  name: string;
  quantity: number;
}): Promise<AddResult | null> {
  if (!readSession().token) {
    rememberAddition({ productId: id, quantity });
    const { pathname, search } = window.location;
    const returnTo = plainReturnPath(pathname + search) ?? `/product/${id}`;
    return { kind: "logged-out", returnTo };
  }
  try {
    const { addToCart } = await import("@/lib/cart/client");
    await addToCart({ productId: id, quantity });
    trackEvent({ ...EVENTS.cartAdd, name, value: quantity });
    return { kind: "added" };
  } catch (error) {
    // The class of these errors is loaded only with the first call.
    const { isSessionOver, details = "" } = error as Partial<ApiError>;
    if (!isSessionOver) return { kind: "failed", text: addFailed(details) };
    rememberAddition({ productId: id, quantity });
    return null;
  }
}
