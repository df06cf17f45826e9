import { randomBytes } from "node:crypto";
import { env } from "@/lib/env";
import { QUERY_HEADER } from "@/lib/http/headers";
import { noncePolicy, POLICY_HEADER } from "@/lib/http/server/content-security";
import type { Exchange, Step } from "@/lib/http/server/exchange";
import { isFromThisMachine } from "@/lib/http/server/local-peer";
import { canonicalRequestUrl, pathOf, searchOf } from "@/lib/http/url";
import { isStored, pathsOf, urlPattern } from "@/lib/pages";

/** URLs of pages that are the same for everybody, and stored. */
export const PUBLIC_PAGE = urlPattern(
  pathsOf((page) => page.access === "everybody" && isStored(page)),
);
/** URLs of pages that are stored, but for the visitors that middleware.ts lets in. */
const GUARDED_PAGE = urlPattern(pathsOf((page) => page.access !== "everybody" && isStored(page)));
/** URLs of pages that are rendered for each request. */
export const RENDERED_PAGE = urlPattern(pathsOf((page) => !isStored(page)));
/** A picture of the shop in the size that a screen asks for, by Next.js. */
export const RESIZED_PICTURE = "/_next/image?";

/**
 * Notes the path of a public page, which decides which stored page is sent, gives each page that is stored its
 * canonical URL, and tells a page that is rendered for each request what it has to know about the connection.
 */
export const preparePage: Step = (exchange, next) => {
  const { request, context } = exchange;
  const { url = "" } = request;
  if (RENDERED_PAGE.test(url)) {
    context.isLocal = isFromThisMachine(request);
    setNonce(exchange);
  } else if (PUBLIC_PAGE.test(url)) {
    // A view of the catalogue has its canonical URL already.
    if (context.pagePath === undefined) {
      context.pagePath = pathOf(url);
      request.url = canonicalRequestUrl(context.pagePath, request);
    }
  } else if (GUARDED_PAGE.test(url)) {
    request.headers[QUERY_HEADER] = searchOf(url);
    request.url = canonicalRequestUrl(pathOf(url), request);
  } else if (url.startsWith(RESIZED_PICTURE)) configureSharp();
  next();
};

/**
 * Sets the policy of a page that is rendered per request, with a nonce that Next.js reads from the
 * request's header and writes into the page. Cached pages have hashes instead.
 */
function setNonce({ request, response }: Exchange): void {
  // The development server evaluates code in the page.
  if (env().NODE_ENV === "development") return;
  const nonce = randomBytes(16).toString("base64");
  const policy = noncePolicy({ nonce, url: request.url ?? "" });
  request.headers[POLICY_HEADER] = policy;
  response.setHeader(POLICY_HEADER, policy);
}

/** Next.js loads sharp with the first picture that it resizes, without any settings. */
function configureSharp(): void {
  // Where it cannot be loaded, Next.js says so.
  import("@/lib/sharp").catch(() => undefined);
}
