import { type Failure, fail } from "@/lib/errors";
import { problem } from "@/lib/http/api/problem";
import { sendResponse } from "@/lib/http/server/api-call";
import { busyPage } from "@/lib/http/server/busy-page";
import type { Exchange } from "@/lib/http/server/exchange";

const TOO_BUSY =
  "La boutique reçoit trop de demandes en ce moment. Réessayez dans quelques secondes.";

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
  const answer = isPage ? busyPage({ text: TOO_BUSY, headers: refusal.headers }) : refusal;
  void sendResponse(response, answer);
}
