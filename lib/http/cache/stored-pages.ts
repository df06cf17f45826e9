import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setBeforeStore } from "@/cache-handler.mjs";
import { EVERY_PAGE } from "@/lib/http/cache/cache-tags";
import { pathOfKey, withOwnAddress } from "@/lib/http/cache/page-address";
import { isPurging } from "@/lib/http/cache/purge";
import { NO_CACHE } from "@/lib/http/security-headers";
import { documentPolicy, POLICY_HEADER } from "@/lib/http/server/content-security";
import { log } from "@/lib/http/server/log";
import { loggedPath } from "@/lib/http/server/logged-path";
import { accessOf } from "@/lib/pages";
import { EMPTY_DOCUMENT } from "@/lib/workarounds/empty-documents";

// What happens to a page before it is stored and sent to its first visitor (cache-handler.mjs).

/** A page as Next.js passes it to be stored. */
interface RenderedPage {
  html?: string;
  rscData?: Buffer;
  segmentData?: Map<string, Buffer>;
  headers?: Record<string, unknown>;
  status?: number;
}

/** The key of a stored page and a hash of its content, by which server.mjs finds this very page. */
const KEY_HEADER = "x-page-key";
const HEADER_TEXT = /^[\x21-\x7e]+$/;
/** The tags by which a cache in front purges the page. Varnish removes it. */
const TAGS_HEADER = "cache-tag";

/** Has the cache prepare every page. Called when the process starts. */
export const beginStoringPages = (): void => setBeforeStore(prepareStoredPage);

/**
 * Completes a page and its headers.
 *
 * @returns false for a page that must not be stored: its data names another address than its key's, which may be
 *   somebody's secret, or it contains a visitor's nonce
 */
function prepareStoredPage({
  key,
  value,
  tags,
  cacheControl,
}: {
  key: string;
  value: RenderedPage;
  tags: readonly string[];
  cacheControl: { revalidate?: number | false } | undefined;
}): boolean {
  const isOwn = isKeyNotFound(key) || nameOwnAddress(key, value);
  if (value.status === 404 || isKeyNotFound(key)) completeNotFound(key, value);
  value.headers ??= {};
  const { headers } = value;
  const url = pathOfKey(key);
  headers[POLICY_HEADER] = documentPolicy({ html: value.html ?? "", path: url });
  // No cache in front may send a page that the shop does not store itself, nor a guarded one, whose visitors the
  // middleware checks.
  const isPublic = isOwn && accessOf(url) === "everybody";
  const seconds = cacheControl?.revalidate;
  // Next.js sets that of the page for unknown addresses itself.
  if (!isKeyNotFound(key))
    headers["cache-control"] =
      isPublic && typeof seconds === "number" ? `s-maxage=${seconds}` : NO_CACHE;
  if (isPublic && isPurging())
    headers[TAGS_HEADER] = [EVERY_PAGE, ...tags.filter((tag) => !tag.startsWith("_N_T_"))].join();
  if (isPublic && HEADER_TEXT.test(key)) headers[KEY_HEADER] = `${key} ${digestOf(value)}`;
  return isOwn;
}

const digestOf = ({ html = "", headers }: RenderedPage) =>
  createHash("sha1").update(html).update(JSON.stringify(headers)).digest("base64url");

/** The page for unknown addresses. */
const isKeyNotFound = (key: string) => key.endsWith("/_not-found");

let builtNotFound: { html: string; rscData: Buffer } | undefined;

/** The page for unknown addresses as the build has rendered it: rendered anew it would name the unknown address. */
function readNotFound() {
  const folder = process.env.NEXT_DIST_DIR ?? ".next";
  const file = path.join(
    process.cwd(),
    /* turbopackIgnore: true */ folder,
    "server/app/_not-found",
  );
  builtNotFound ??= {
    html: readFileSync(/* turbopackIgnore: true */ `${file}.html`, "utf8"),
    rscData: readFileSync(/* turbopackIgnore: true */ `${file}.rsc`),
  };
  return builtNotFound;
}

/**
 * Next.js's document of a page that calls `notFound()` is empty: lib/workarounds/empty-documents.ts. It becomes that of the
 * page for unknown addresses.
 */
function completeNotFound(key: string, page: RenderedPage): void {
  if (isKeyNotFound(key)) {
    Object.assign(page, readNotFound());
    delete page.segmentData;
  } else if (page.html?.slice(0, 60).includes(EMPTY_DOCUMENT)) page.html = readNotFound().html;
}

/** Logged once per process. */
let isRefusalLogged = false;

/** Has the page name the address of its key only; false where that is impossible, or where it has a visitor's nonce. */
function nameOwnAddress(key: string, page: RenderedPage): boolean {
  const { html = "", rscData } = page;
  const data = rscData?.toString() ?? "";
  const own = html.includes(' nonce="') ? null : withOwnAddress({ key, html, data });
  if (own) {
    page.html = own.html;
    if (own.data !== data) page.rscData = Buffer.from(own.data);
    return true;
  }
  const about = { page: loggedPath(pathOfKey(key)) };
  if (!isRefusalLogged)
    log.warn(about, "a page that names another address than its own is not stored");
  isRefusalLogged = true;
  return false;
}
