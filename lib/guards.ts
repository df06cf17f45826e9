import { isAdmin } from "@/lib/roles";

// Who may see which page. Pure, and known to both sides: middleware.ts enforces the table on the
// server, the pages themselves look at the browser's session. What a page shows is guarded by the
// API alone; a page without its data says nothing about anybody.

/**
 * - `guest`: for visitors who are logged out
 * - `user`, `admin`: for those who are logged in, for administrators
 * - `checkout`: logged in, and coming from the cart
 */
export type PageAccess = "guest" | "user" | "admin" | "checkout";

/** Every guarded page. `:name` is one part of a path, `:name*` any number of them. */
export const GUARDS: readonly { path: string; access: PageAccess }[] = [
  { path: "/login", access: "guest" },
  { path: "/register", access: "guest" },
  { path: "/forget-password", access: "guest" },
  { path: "/reset-password/:token*", access: "guest" },
  { path: "/account-verification/:token*", access: "guest" },
  { path: "/account", access: "user" },
  { path: "/profile", access: "user" },
  { path: "/addresses", access: "user" },
  { path: "/orders", access: "user" },
  { path: "/cart", access: "user" },
  { path: "/order/:id/confirmation", access: "user" },
  { path: "/checkout", access: "checkout" },
  { path: "/backoffice/:path*", access: "admin" },
];

/** Set by the cart's button 'Passer la commande', for the time that a checkout takes. */
export const CHECKOUT_COOKIE = "checkout";

/** The address's parameter that says where to go after the login. */
export const RETURN_PARAMETER = "retour";

const patterns = GUARDS.map(({ path, access }) => ({
  access,
  pattern: new RegExp(`^${path.replace(/\/:\w+\*/g, "(?:/.*)?").replace(/:\w+/g, "[^/]+")}$`),
}));

/** What a page asks of its visitor; null for a page that is for everybody. */
export function accessOf(path: string): PageAccess | null {
  return patterns.find(({ pattern }) => pattern.test(path))?.access ?? null;
}

/**
 * Where a visitor is led instead of the page they asked for; null where they may see it.
 *
 * @param address path and query of the page
 * @param session null for a visitor who is logged out
 */
export function redirectOf({
  address,
  session,
  isFromCart,
}: {
  address: string;
  session: { roles: readonly string[] } | null;
  isFromCart: boolean;
}): string | null {
  const access = accessOf(pathOf(address));
  if (access === null) return null;
  if (access === "guest") return session ? "/" : null;
  if (!session) return loginAddress(address);
  if (access === "admin") return isAdmin(session) ? null : "/";
  if (access === "checkout") return isFromCart ? null : "/cart";
  return null;
}

/** The login, and then back to where the visitor wanted to go. */
export function loginAddress(returnTo: string): string {
  const safe = safeReturnPath(returnTo);
  if (safe === null) return "/login";
  // A slash may stand in a query as it is.
  return `/login?${RETURN_PARAMETER}=${encodeURIComponent(safe).replaceAll("%2F", "/")}`;
}

/** The page that a login's address (its query) leads back to; null where it names none. */
export function returnPathOf(search: string): string | null {
  return safeReturnPath(new URLSearchParams(search).get(RETURN_PARAMETER));
}

/**
 * A return address that leads nowhere but to a page of this shop, which is for those who are logged
 * in or for everybody; null for anything else. Addresses are made by whoever writes a link, and a
 * browser takes `//evil.example`, `/\evil.example` and `/<tab>/evil.example` for another site's.
 */
export function safeReturnPath(address: string | null): string | null {
  if (address === null || address.length > 2000) return null;
  if (!isOwnPath(address)) return null;
  // Whoever decodes it once more must not get another site, either.
  const decoded = decodeRepeatedly(address);
  if (decoded === null || !isOwnPath(decoded)) return null;
  const path = pathOf(address);
  if (accessOf(path) === "guest" || /^\/api(?:\/|$)/.test(path)) return null;
  return address;
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
      // A lone percent sign; broken encodings are refused at the first step, of the address itself.
      return depth === 0 ? null : current;
    }
    if (next === current) return current;
    current = next;
  }
  return null;
}

function pathOf(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? "";
}
