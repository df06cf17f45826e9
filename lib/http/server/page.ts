import { randomBytes } from "node:crypto";
import { isTextSearch } from "@/lib/catalogue/view-header";
import { env } from "@/lib/env";
import { noncePolicy, POLICY_HEADER } from "@/lib/http/server/content-security";
import type { Exchange, Step } from "@/lib/http/server/exchange";
import { isFromThisMachine, LOCAL_HEADER, localMark } from "@/lib/http/server/local-peer";
import { networkOfMessage } from "@/lib/http/server/network";

/** The catalogue's search is one, too: lib/catalogue/view-header.ts. */
const RENDERED_PER_REQUEST = /^\/(?:backoffice|mailbox)(?:[/?]|$)/;
/** Pages of unlimited number: one that is not cached acquires a permit when it is rendered (renderings.ts). */
const RENDERED_ONCE = /^\/products?(?:[/?]|$)/;
/** A picture of the shop in the size that a screen asks for, by Next.js. */
const RESIZED_PICTURE = "/_next/image?";

export const isRenderedPerRequest = (url: string): boolean => RENDERED_PER_REQUEST.test(url);

/** Gives what Next.js is going to render what it has to know of the connection. */
export const preparePage: Step = (exchange, next) => {
  const { request, context } = exchange;
  const { url = "" } = request;
  if (isRenderedPerRequest(url)) {
    if (isFromThisMachine(request)) request.headers[LOCAL_HEADER] = localMark();
    setNonce(exchange);
  } else if (isTextSearch(url)) setNonce(exchange);
  else if (RENDERED_ONCE.test(url)) context.network = networkOfMessage(request);
  else if (url.startsWith(RESIZED_PICTURE)) configureSharp();
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
