import { loadPage } from "@/lib/browser/session";
import { CHECKOUT_COOKIE } from "@/lib/guards";

/** Seconds in which the checkout may be opened or reloaded. */
const CHECKOUT_LIFETIME = 1800;

/** The query of a checkout that skips the first step where the usual addresses are known. */
const AT_PAYMENT = "?etape=paiement";

/** Opens the checkout: at its first step, or at the payment. */
export function openCheckout({ atPayment = false } = {}): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore is not in every browser yet
  document.cookie = `${CHECKOUT_COOKIE}=1; path=/checkout; max-age=${CHECKOUT_LIFETIME}; samesite=lax`;
  // Loaded as a document: only the checkout's own policy allows the payment provider (docs/decisions/030).
  loadPage(`/checkout${atPayment ? AT_PAYMENT : ""}`);
}

/** Was the checkout opened at the payment? Removes that from the address: a reload begins with the first step. */
export function takeAtPayment(): boolean {
  const isAtPayment = location.search === AT_PAYMENT;
  if (isAtPayment) history.replaceState(history.state, "", location.pathname);
  return isAtPayment;
}
