import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server.js";
import { REFUSED_PAGE_COOKIE } from "@/lib/auth/refused-page";
import { readSessionCookie } from "@/lib/auth/session-cookie";
import { hasView, viewPathOf } from "@/lib/catalogue/view-path";
import { fail } from "@/lib/errors/failure";
import { CHECKOUT_COOKIE, redirectOf } from "@/lib/guards";
import { problem } from "@/lib/http/api/problem";
import { CLOSED_POLICY } from "@/lib/http/security-headers";
import { noncePolicy, POLICY_HEADER } from "@/lib/http/server/content-security";
import { refuseForeignHost } from "@/lib/mailbox/host";
import { accessOf, isStoredPath, SITE } from "@/lib/pages";
import { isDecodable } from "@/lib/text/percent-encoding";
import { isResizedPictureQuery } from "@/lib/uploads/resized-picture";

/**
 * - Redirects visitors who may not see a guarded page, by the session cookie: lib/guards.ts.
 * - Leads a view of the catalogue to the path of its stored page, and a text search to the page that is rendered for
 *   each request: lib/catalogue/view-path.ts.
 * - Gives a page that is rendered for each request its content security policy.
 * - Refuses odd spellings of an address, such as capitals and broken percent-encoding. Next.js would serve them, or answer 500.
 * - Refuses requests with a body: pages take none.
 * - Refuses other spellings of resized pictures than the shop's own, and the mailbox under a foreign host.
 */
export async function middleware(request: NextRequest): Promise<Response | undefined> {
  const { pathname } = request.nextUrl;
  if (isOddSpelling(pathname)) return refuseSpelling(request);
  if (isApi(pathname)) return undefined;
  const isMailbox = pathname.startsWith("/mailbox");
  const foreign = isMailbox ? refuseForeignHost(request) : undefined;
  if (foreign) return foreign;
  if (request.method !== "GET" && request.method !== "HEAD") return refuseMethod();
  if (pathname === "/_next/image") return checkPicture(request.url);
  if (pathname === "/products") return leadToView(request);
  const redirect = isMailbox ? undefined : await redirectFrom(request);
  if (redirect) return redirect;
  return isStoredPath(pathname)
    ? undefined
    : withPolicy(request, (init) => NextResponse.next(init));
}

const isApi = (pathname: string) => /^\/api(?:\/|$)/.test(pathname);

/**
 * Next.js serves `/products` for `/PRODUCTS`, and `/site/%66r/search` without the redirect of `/site/fr/search`: both would
 * bypass the checks of the path here.
 */
const isOddSpelling = (pathname: string): boolean =>
  /^\/[^/]*[A-Z]/.test(pathname) ||
  !isDecodable(pathname) ||
  (pathname.includes("%") && decodeURIComponent(pathname).startsWith("/site/"));

/** Pages take no body: Next.js would render a stored page anew for each form, without its policy. */
const refuseMethod = (): Response =>
  new Response(null, {
    status: 405,
    headers: { Allow: "GET, HEAD", "Content-Security-Policy": CLOSED_POLICY },
  });

/** 400 for a call of the API, else the page for unknown addresses. */
function refuseSpelling(request: NextRequest): Response {
  if (isApi(request.nextUrl.pathname)) {
    const answer = problem(fail.badRequest("L'adresse demandée est mal encodée."), { request });
    answer.headers.set(POLICY_HEADER, CLOSED_POLICY);
    return answer;
  }
  return NextResponse.rewrite(new URL("/malformed-address", request.url));
}

function checkPicture(url: string): Response | undefined {
  if (isResizedPictureQuery(new URL(url).search)) return undefined;
  return new Response("L'adresse de cette image n'est pas valable.", {
    status: 400,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

function leadToView(request: NextRequest): Response | undefined {
  const { nextUrl } = request;
  if (!hasView(nextUrl.searchParams)) return undefined;
  const view = viewPathOf(nextUrl.searchParams);
  const url = new URL(
    view === null ? `${SITE}/search${nextUrl.search}` : `${SITE}/products/${view}`,
    request.url,
  );
  if (view !== null) return NextResponse.rewrite(url);
  return withPolicy(request, (init) => NextResponse.rewrite(url, init));
}

/** Next.js reads the nonce from the request's policy, and writes it into the page. */
function withPolicy(
  request: NextRequest,
  respond: (init: { request: { headers: Headers } }) => NextResponse,
): Response {
  const nonce = randomBytes(16).toString("base64");
  const policy = noncePolicy({ nonce, path: request.nextUrl.pathname });
  const headers = new Headers(request.headers);
  headers.set(POLICY_HEADER, policy);
  const response = respond({ request: { headers } });
  response.headers.set(POLICY_HEADER, policy);
  return response;
}

/** Where a visitor who may not see the page is led; undefined for one who may. */
async function redirectFrom(request: NextRequest): Promise<Response | undefined> {
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

/** Was the URL typed, or opened from outside the browser? Old browsers do not tell. */
const isTyped = (request: NextRequest) => request.headers.get("sec-fetch-site") === "none";

/** What Next.js's router adds to the URLs of the pages whose data it asks for: a hash of the request's headers. */
const ROUTER_PARAMETER = "_rsc";

/** Path and query as the visitor knows them. */
function requestedUrl({ nextUrl }: NextRequest): string {
  const query = new URLSearchParams(nextUrl.search);
  query.delete(ROUTER_PARAMETER);
  return query.size === 0 ? nextUrl.pathname : `${nextUrl.pathname}?${query}`;
}

/** Without the router's parameter, Next.js would add it by one more redirect, which loses the query of a stored page. */
function redirectUrl(target: string, request: NextRequest): string {
  const url = new URL(target, request.url);
  const hash = request.nextUrl.searchParams.get(ROUTER_PARAMETER);
  if (hash !== null) url.searchParams.set(ROUTER_PARAMETER, hash);
  return url.href;
}

// Next.js reads this without running it, so the guarded paths of lib/pages.ts stand here once more. A filter's parameter
// may have any name (`characteristics[Matière][]`), so all views of the catalogue stand here; other public pages do not pay.
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
    "/:path(.*%.*)",
    "/:path([^/]*[A-Z].*)",
    { source: "/:path((?!api/|api$).*)", has: [{ type: "header", key: "content-type" }] },
    "/products",
  ],
};
