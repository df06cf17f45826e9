import { accessOf } from "@/lib/pages";
import { isAdmin } from "@/lib/roles";

// Who may see which page of lib/pages.ts. Pure functions, for server and browser: middleware.ts enforces
// the rules on the server, and the pages themselves check the browser's session. The API protects the data
// of a page; a page without its data holds nothing private.

/** Set by the cart's button 'Passer la commande', for the time that a checkout takes. */
export const CHECKOUT_COOKIE = "checkout";

/** The query parameter with the URL to return to after the login. */
export const RETURN_PARAMETER = "retour";

/**
 * The path that a visitor of a page is redirected to; null if they may see the page.
 *
 * @param url path and query of the page
 * @param session null for a visitor who is logged out
 */
export function redirectOf({
  url,
  session,
  isFromCart,
}: {
  url: string;
  session: { roles: readonly string[] } | null;
  isFromCart: boolean;
}): string | null {
  const access = accessOf(pathOf(url));
  if (access === "everybody") return null;
  if (access === "guest") return session ? "/" : null;
  if (!session) return loginUrl(url);
  if (access === "admin") return isAdmin(session) ? null : "/";
  if (access === "checkout") return isFromCart ? null : "/cart";
  return null;
}

/** The URL of the login, which then returns to the given URL if that is safe. */
export function loginUrl(returnTo: string): string {
  const safe = safeReturnPath(returnTo);
  if (safe === null) return "/login";
  // A slash need not be encoded in a query.
  return `/login?${RETURN_PARAMETER}=${encodeURIComponent(safe).replaceAll("%2F", "/")}`;
}

/** The URL to return to after the login, from the query of the login page; null without one. */
export function returnPathOf(search: string): string | null {
  return safeReturnPath(new URLSearchParams(search).get(RETURN_PARAMETER));
}

/**
 * Prevents open redirects: the URL if it leads to a page of this shop that is no guest page, else null.
 * Browsers read `//evil.example`, `/\evil.example` and `/<tab>/evil.example` as URLs of another site.
 */
export function safeReturnPath(url: string | null): string | null {
  if (url === null || url.length > 2000) return null;
  if (!isOwnPath(url)) return null;
  // Decoded again, the URL must not lead to another site, either.
  const decoded = decodeRepeatedly(url);
  if (decoded === null || !isOwnPath(decoded)) return null;
  const path = pathOf(url);
  if (accessOf(path) === "guest" || /^\/api(?:\/|$)/.test(path)) return null;
  return url;
}

function isOwnPath(text: string): boolean {
  return /^\/(?![/\\])/.test(text) && !/[\\\p{Cc}]/u.test(text) && !/\/\.{1,2}(?:\/|$)/.test(text);
}

function decodeRepeatedly(text: string): string | null {
  let current = text;
  for (let depth = 0; depth < 5; depth++) {
    let next: string;
    try {
      next = decodeURIComponent(current);
    } catch {
      // A lone percent sign. If the URL itself is badly encoded (depth 0), it is refused.
      return depth === 0 ? null : current;
    }
    if (next === current) return current;
    current = next;
  }
  return null;
}

function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}
