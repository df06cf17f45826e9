import { accessOf, PAGES } from "@/lib/pages";
import { isAdmin } from "@/lib/roles";

// Who may see which page of lib/pages.ts. Pure functions, for server and browser: middleware.ts enforces
// the rules on the server, and the pages themselves check the browser's session. The API protects the data
// of a page; a page without its data holds nothing private.

/** Set by the cart's button 'Passer la commande', for the time that a checkout takes. */
export const CHECKOUT_COOKIE = "checkout";

/** The query parameter with the URL to return to after the login. */
export const RETURN_PARAMETER = "retour";
export const RETURN_PATH_MAX_LENGTH = 2000;

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
export const loginUrl = (returnTo: string | null): string => guestUrl("/login", returnTo);

/** The URL of a page for guests, which hands the URL to return to on to the login if that is safe. */
export function guestUrl(page: string, returnTo: string | null): string {
  const safe = safeReturnPath(returnTo);
  if (safe === null) return page;
  // A slash need not be encoded in a query.
  return `${page}?${RETURN_PARAMETER}=${encodeURIComponent(safe).replaceAll("%2F", "/")}`;
}

/**
 * The part of a return URL that may be in a mail: a product with the category that the visitor came from, or
 * another page without its query. Anybody may register anybody's address, and must not send their own text
 * there. Null for pages that the shop does not have.
 */
export function plainReturnPath(url: string): string | null {
  if (safeReturnPath(url) === null) return null;
  const path = pathOf(url);
  if (/^\/product\/\d{1,9}$/.test(path)) {
    const [, category] = /[?&]category=(\d{1,9})(?![^&#])/.exec(url) ?? [];
    return category === undefined ? path : `${path}?category=${category}`;
  }
  return Object.hasOwn(PAGES, path) && !path.includes(":") ? path : null;
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
  if (url === null || url.length > RETURN_PATH_MAX_LENGTH) return null;
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
