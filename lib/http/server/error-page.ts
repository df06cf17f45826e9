import type { ServerResponse } from "node:http";
import { isOutage } from "@/lib/http/server/outage";
import { errorSentence } from "@/lib/http/server/page-error";
import { pathOf } from "@/lib/http/url";
import {
  REFERENCE_PLACEHOLDER,
  SENTENCE_PLACEHOLDER,
} from "@/lib/workarounds/empty-document-placeholders";
import { prerenderedPage } from "@/lib/workarounds/empty-documents";

/** Seconds. */
const RETRY_AFTER = 5;

/**
 * The page to send in place of an empty document; null for a response that keeps its body. A page
 * that could not be rendered gets status 503 where the database is the reason, so that search
 * engines keep what they know and come back.
 *
 * @param body the empty document: it holds the number (digest) of the error in the log
 */
export function replacementOf(response: ServerResponse, body: string): Buffer | null {
  if (response.statusCode === 404) {
    // The back office, which needs JavaScript anyway, shows a page within its own menu.
    const isBackoffice = pathOf(response.req.url ?? "").startsWith("/backoffice/");
    return isBackoffice ? null : prerenderedPage("_not-found");
  }
  if (response.statusCode !== 500) return null;
  const page = prerenderedPage("unavailable");
  if (page === null) return null;
  if (isOutage()) {
    response.statusCode = 503;
    response.setHeader("Retry-After", RETRY_AFTER);
  }
  response.setHeader("Cache-Control", "no-store");
  const reference = response.getHeader("x-request-id") ?? /"digest\\?":\\?"(\d+)/.exec(body)?.[1];
  return Buffer.from(
    page
      .toString()
      .replaceAll(REFERENCE_PLACEHOLDER, String(reference ?? "inconnue"))
      .replaceAll(SENTENCE_PLACEHOLDER, errorSentence(response.req.url ?? "")),
  );
}
