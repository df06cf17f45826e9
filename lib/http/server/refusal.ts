import { type Failure, fail } from "@/lib/errors";
import { problem } from "@/lib/http/api/problem";
import { html, htmlDocument, NO_INDEX } from "@/lib/http/html";
import { sendResponse } from "@/lib/http/server/api-call";
import type { Exchange } from "@/lib/http/server/exchange";
import { SHOP_NAME } from "@/lib/shop-name";

const TOO_BUSY =
  "La boutique reçoit trop de demandes en ce moment. Réessayez dans quelques secondes.";

const STYLE =
  "body{max-width:36rem;margin:20vh auto;padding:0 1.5rem;font-family:system-ui,sans-serif;line-height:1.5;text-align:center}";

/** What refusals read of a request; it may be one that has no valid address or method. */
const requestOf = ({ headers }: Exchange["request"]) =>
  new Request("http://localhost/api", { headers: { accept: headers.accept ?? "" } });

/** Sends a refusal as the API words it. */
export function refuse({ request, response }: Exchange, failure: Failure): void {
  void sendResponse(response, problem(failure, { request: requestOf(request) }));
}

/** 503 as JSON, or as a page for a client that accepts one. */
export function refuseForOverload({ request, response }: Exchange): void {
  const refusal = problem(fail.unavailable(TOO_BUSY), { request: requestOf(request) });
  const isPage = request.headers.accept?.includes("text/html");
  void sendResponse(response, isPage ? asPage(refusal) : refusal);
}

function asPage({ status, headers }: Response): Response {
  headers.set("Content-Type", "text/html; charset=utf-8");
  const page = htmlDocument({
    title: `Un instant - ${SHOP_NAME}`,
    head: NO_INDEX,
    style: STYLE,
    body: html`<main><h1>Un instant…</h1><p>${TOO_BUSY}</p></main>`,
  });
  return new Response(page, { status, headers });
}
