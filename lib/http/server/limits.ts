import type { Step } from "@/lib/http/server/exchange";
import { RENDERED_PAGE } from "@/lib/http/server/page";
import { readSemaphore } from "@/lib/http/server/read-semaphore";
import { refuseForOverload } from "@/lib/http/server/refusal";

const API = /^\/api(?:[/?]|$)/;
/** Health checks are answered also, and above all, under load. */
const PROBES = /^\/api\/(?:health|ready)(?:\?|$)/;
/** Files that are made from the database. */
const READ_PER_REQUEST = /^\/(?:sitemap\.xml|og)(?:[/?]|$)/;

/** Refuses requests that render or query the database beyond the limits: docs/decisions/031. */
export const limitReads: Step = (exchange, next) => {
  const { method = "GET", url = "" } = exchange.request;
  const isRead = API.test(url)
    ? (method === "GET" || method === "HEAD") && !PROBES.test(url)
    : RENDERED_PAGE.test(url) || READ_PER_REQUEST.test(url);
  if (!isRead || readSemaphore().tryAcquireFor(exchange)) next();
  else refuseForOverload(exchange);
};
