import type { NextRequest } from "next/server";
import { REFUSED_PAGE_COOKIE } from "@/lib/auth/refused-page";
import { readSessionCookie } from "@/lib/auth/session-cookie";
import { CHECKOUT_COOKIE, redirectOf } from "@/lib/guards";
import { QUERY_HEADER } from "@/lib/http/headers";
import { searchOf } from "@/lib/http/url";
import { refuseForeignHost } from "@/lib/mailbox/host";
import { accessOf } from "@/lib/pages";
import { isResizedPictureQuery } from "@/lib/uploads/resized-picture";

/**
 * Redirects visitors who may not see a guarded page, by the session cookie: lib/guards.ts. Refuses other
 * spellings of resized pictures than the shop's own, and the mailbox, which decides by itself who may read it,
 * under names that are not the shop's.
 */
export async function middleware(request: NextRequest): Promise<Response | undefined> {
  const { pathname } = request.nextUrl;
  if (pathname === RESIZED_PICTURES) return checkPicture(request.url);
  if (pathname.startsWith("/mailbox")) return refuseForeignHost(request);
  const url = requestedUrl(request);
  const target = redirectOf({
    url,
    session: await readSessionCookie(request),
    isFromCart: request.cookies.has(CHECKOUT_COOKIE) && !isTyped(request),
  });
  if (target === null) return undefined;
  const headers = new Headers({ Location: redirectUrl(target, request) });
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

const RESIZED_PICTURES = "/_next/image";

function checkPicture(url: string): Response | undefined {
  if (isResizedPictureQuery(searchOf(url))) return undefined;
  return new Response("L'adresse de cette image n'est pas valable.", {
    status: 400,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

/** Was the URL typed, or opened from outside the browser? Old browsers do not tell. */
const isTyped = (request: NextRequest) => request.headers.get("sec-fetch-site") === "none";

/** What Next.js's router adds to the URLs of the pages whose data it asks for: a hash of the request's headers. */
const ROUTER_PARAMETER = "_rsc";

const queryOf = ({ nextUrl, headers }: NextRequest) =>
  new URLSearchParams(headers.get(QUERY_HEADER) ?? nextUrl.search);

/** Path and query as the visitor knows them. */
function requestedUrl(request: NextRequest): string {
  const query = queryOf(request);
  query.delete(ROUTER_PARAMETER);
  const { pathname } = request.nextUrl;
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}

/** Without the router's parameter, Next.js would add it by one more redirect, which loses the query of a stored page. */
function redirectUrl(target: string, request: NextRequest): string {
  const url = new URL(target, request.url);
  const hash = queryOf(request).get(ROUTER_PARAMETER);
  if (hash !== null) url.searchParams.set(ROUTER_PARAMETER, hash);
  return url.href;
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
    "/_next/image",
    "/mailbox/:path*",
  ],
};
