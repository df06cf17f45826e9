import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { REFERENCE_MARK, SENTENCE_MARK } from "./built-page-mark";
import { isOutage } from "./outage";
import { faultSentence } from "./page-fault";
import { pathOf } from "./url";

// Complete pages of the build that take the place of Next.js's empty documents.

/** Seconds after which a browser or crawler may try again. */
const RETRY_AFTER = 5;

const read = new Map<string, Buffer | null>();

/** A page of the build; null where there is none (development). */
function builtPage(name: string): Buffer | null {
  const known = read.get(name);
  if (known !== undefined) return known;
  let page: Buffer | null = null;
  try {
    page = readFileSync(path.resolve(`.next/server/app/${name}.html`));
  } catch {}
  read.set(name, page);
  return page;
}

/**
 * The page to send in place of an empty document; null for an answer that keeps what it has. A page
 * that could not be rendered gets status 503 where the database is the reason: search engines come
 * back, and keep what they know.
 *
 * @param body what would be sent: it holds the number under which the fault is in the log
 */
export function replacementOf(response: ServerResponse, body: string): Buffer | null {
  if (response.statusCode === 404) {
    // The back office, where nothing works without the browser's script, has a page within its menu.
    const isBackoffice = pathOf(response.req.url ?? "").startsWith("/backoffice/");
    return isBackoffice ? null : builtPage("_not-found");
  }
  if (response.statusCode !== 500) return null;
  const page = builtPage("unavailable");
  if (page === null) return null;
  if (isOutage()) {
    response.statusCode = 503;
    response.setHeader("Retry-After", RETRY_AFTER);
  }
  response.setHeader("Cache-Control", "no-store");
  const noted = response.getHeader("x-request-id") ?? /"digest\\?":\\?"(\d+)/.exec(body)?.[1];
  return Buffer.from(
    page
      .toString()
      .replaceAll(REFERENCE_MARK, String(noted ?? "inconnue"))
      .replaceAll(SENTENCE_MARK, faultSentence(response.req.url ?? "")),
  );
}
