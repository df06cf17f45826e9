import { randomBytes } from "node:crypto";
import { env } from "@/lib/env";
import { noncePolicy, POLICY_HEADER } from "@/lib/http/server/content-security";
import type { Exchange, Step } from "@/lib/http/server/exchange";
import { isFromThisMachine, LOCAL_HEADER, localMark } from "@/lib/http/server/local-peer";
import { networkOfMessage } from "@/lib/http/server/network";

const PRIVATE_PAGE = /^\/(?:backoffice|mailbox)(?:[/?]|$)/;
/** Pages of unlimited number: one that is not cached acquires a permit when it is rendered (renderings.ts). */
const RENDERED_ONCE = /^\/products?(?:[/?]|$)/;
/** A picture of the shop in the size that a screen asks for, by Next.js. */
const RESIZED_PICTURE = "/_next/image?";

/** Is it the address of a page that is rendered for each request? */
export type IsRendered = (url: string) => boolean;

/** Those of the back office and the mailbox are; the catalogue says which of its own. */
export const isPrivatePage: IsRendered = (url) => PRIVATE_PAGE.test(url);

/** Gives what Next.js is going to render what it has to know of the connection. */
export const preparePage =
  (isRendered: IsRendered): Step =>
  (exchange, next) => {
    const { request, context } = exchange;
    const { url = "" } = request;
    if (isRendered(url)) {
      if (isFromThisMachine(request)) request.headers[LOCAL_HEADER] = localMark();
      setNonce(exchange);
    } else if (RENDERED_ONCE.test(url)) context.network = networkOfMessage(request);
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
