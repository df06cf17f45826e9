import type { NextRequest } from "next/server";
import { REFUSED_PAGE_COOKIE } from "@/lib/auth/refused-page";
import { readSessionCookie } from "@/lib/auth/session-cookie";
import { CHECKOUT_COOKIE, redirectOf } from "@/lib/guards";
import { refuseForeignHost } from "@/lib/mailbox/host";
import { accessOf } from "@/lib/pages";

/**
 * Redirects visitors who may not see a guarded page, by the session cookie: lib/guards.ts. The mailbox, which decides by
 * itself who may read it, answers to the shop's own names only.
 */
export async function middleware(request: NextRequest): Promise<Response | undefined> {
  if (request.nextUrl.pathname.startsWith("/mailbox")) return refuseForeignHost(request);
  const url = requestedUrl(request);
  const target = redirectOf({
    url,
    session: await readSessionCookie(request),
    isFromCart: request.cookies.has(CHECKOUT_COOKIE) && !isTyped(request),
  });
  if (target === null) return undefined;
  const headers = new Headers({ Location: new URL(target, request.url).href });
  if (accessOf(request.nextUrl.pathname) === "guest") {
    // Logged-in visitors see no links to these pages. Only a browser whose session cookie outlived
    // its token follows one: 204 makes its router load the whole page, which reads the cookie below.
    if (request.headers.get("sec-fetch-dest") === "empty")
      return new Response(null, { status: 204 });
    headers.set(
      "Set-Cookie",
      `${REFUSED_PAGE_COOKIE}=${encodeURIComponent(url)}; Path=/; Max-Age=10; SameSite=Lax`,
    );
  }
  return new Response(null, { status: 307, headers });
}

/** Was the URL typed, or opened from outside the browser? Old browsers do not tell. */
const isTyped = (request: NextRequest) => request.headers.get("sec-fetch-site") === "none";

/** Path and query as the visitor knows them: the router adds a parameter of its own. */
function requestedUrl({ nextUrl }: NextRequest): string {
  const query = new URLSearchParams(nextUrl.search);
  query.delete("_rsc");
  return query.size === 0 ? nextUrl.pathname : `${nextUrl.pathname}?${query}`;
}

// Next.js reads this without running it, so the guarded paths of lib/pages.ts stand here once more.
export const config = {
  runtime: "nodejs",
  matcher: [
    "/login",
    "/register",
    "/forget-password",
    "/reset-password/:token?",
    "/account-verification/:token?",
    "/account",
    "/profile",
    "/addresses",
    "/orders",
    "/cart",
    "/order/:id/confirmation",
    "/checkout",
    "/backoffice/:path*",
    "/mailbox/:path*",
  ],
};
