import type { IncomingMessage } from "node:http";
import type { ApiIndex } from "@/lib/http/api/operations";
import { requireOneSpelling, toOriginForm } from "@/lib/http/server/address";
import { apiCall } from "@/lib/http/server/api-call";
import { checkOrigin } from "@/lib/http/server/cors";
import { closeWhileDraining } from "@/lib/http/server/draining";
import type { Exchange, Step } from "@/lib/http/server/exchange";
import { limitReads, limitRenderings } from "@/lib/http/server/limits";
import { log } from "@/lib/http/server/log";
import { removeOwnHeaders } from "@/lib/http/server/own-headers";
import { preparePage } from "@/lib/http/server/page";
import { RequestContext, runInRequest } from "@/lib/http/server/request-context";
import { reportCompletion } from "@/lib/http/server/request-log";
import type { ShopResponse } from "@/lib/http/server/response";
import { sendStoredPage } from "@/lib/http/server/stored-page";

/** Next.js's handler of everything else. */
type NextHandler = (request: IncomingMessage, response: ShopResponse) => Promise<void>;

/**
 * What happens to every request that the server receives, in this order:
 *
 * 1. while the process is shutting down, the connection is closed after the response;
 * 2. headers that only the shop or a proxy may set are removed;
 * 3. the address has one spelling, the method is one that is served, and pages take no body (400, 404, 405);
 * 4. pages of other sites do not call the API (403);
 * 5. requests that render or read are counted, and refused beyond the limits (503);
 * 6. a view of the catalogue gets the path of its cached page, and its canonical URL;
 * 7. any other page that is stored gets its canonical URL, one that is rendered for this request its nonce;
 * 8. a stored page is sent;
 * 9. a public page that is not stored is counted as in 5;
 * 10. an endpoint of the API answers;
 * 11. Next.js answers.
 *
 * The development server leaves out 8 and 10: Next.js reloads what is edited.
 */
export function createPipeline({
  next,
  noteView,
  endpoints,
}: {
  next: NextHandler;
  /** Gives a view of the catalogue the path of its cached page: lib/catalogue/view-path.ts. */
  noteView: Step;
  /** Undefined for the development server. */
  endpoints: ApiIndex | undefined;
}): (request: IncomingMessage, response: ShopResponse) => void {
  const steps: readonly Step[] = [
    closeWhileDraining,
    removeOwnHeaders,
    requireOneSpelling,
    checkOrigin,
    limitReads,
    noteView,
    preparePage,
    ...(endpoints ? [sendStoredPage] : []),
    limitRenderings,
    ...(endpoints ? [apiCall(endpoints)] : []),
    (exchange) => {
      const { request, response } = exchange;
      next(request, response as ShopResponse).catch((error) => failWith(exchange, error));
    },
  ];
  const run = chain(steps);
  return (request, response) => {
    // Before the context, which keeps the address for the log.
    toOriginForm(request);
    const context = new RequestContext(request, response);
    // Caches in front of the shop keep pages, where the id would be another visitor's.
    if (context.url.startsWith("/api/")) response.setHeader("X-Request-Id", context.id);
    const exchange = { request, response, context };
    response.context = context;
    reportCompletion(exchange);
    runInRequest(context, () => {
      try {
        run(exchange);
      } catch (error) {
        failWith(exchange, error);
      }
    });
  };
}

/** A fault of a step or of Next.js that neither has answered. */
function failWith({ request, response }: Exchange, error: unknown): void {
  log.error({ err: error, method: request.method }, "request failed");
  if (response.headersSent) response.destroy();
  else {
    response.statusCode = 500;
    response.end();
  }
}

/** One function that runs the steps, each of which calls the following one or answers. */
export function chain(steps: readonly Step[]): (exchange: Exchange) => void {
  return steps.reduceRight<(exchange: Exchange) => void>(
    (following, step) => (exchange) => step(exchange, () => following(exchange)),
    ({ request }) => {
      throw new Error(`No step has answered ${request.method} ${request.url}.`);
    },
  );
}
