import type { Step } from "@/lib/http/server/exchange";
import { onceEnded } from "@/lib/http/server/exchange-end";
import { networkOfMessage } from "@/lib/http/server/network";
import { RENDERED_PAGE } from "@/lib/http/server/page";
import { readSemaphore } from "@/lib/http/server/read-semaphore";
import { refuseForOverload } from "@/lib/http/server/refusal";
import { isApiUrl } from "@/lib/http/url";

/** Health checks are answered also, and above all, under load. */
const PROBES = /^\/api\/(?:health|ready)(?:\?|$)/;
/** Files that are made from the database. */
const READ_PER_REQUEST = /^\/(?:sitemap\.xml|og)(?:[/?]|$)/;

/** Refuses requests that render or query the database beyond the limits: docs/decisions/031. */
export const limitReads: Step = (exchange, next) => {
  const { method = "GET", url = "" } = exchange.request;
  const isRead = isApiUrl(url)
    ? (method === "GET" || method === "HEAD") && !PROBES.test(url)
    : RENDERED_PAGE.test(url) || READ_PER_REQUEST.test(url);
  if (!isRead || readSemaphore().tryAcquireFor(exchange)) next();
  else refuseForOverload(exchange);
};

/**
 * Refuses a search that is not stored beyond the same limits, before it is rendered: there are any number
 * of them. The rendering takes the permit over.
 */
export const limitSearches: Step = (exchange, next) => {
  const { request, response, context } = exchange;
  if (!context.isSearch) return next();
  const release = readSemaphore().tryAcquire(networkOfMessage(request));
  if (!release) return refuseForOverload(exchange);
  context.permit = release;
  onceEnded({ request, response, event: "prefinish", callback: () => context.takePermit()?.() });
  next();
};
