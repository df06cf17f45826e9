import { createHash } from "node:crypto";
import { paymentProvider } from "@/lib/checkout/provider";
import { env } from "@/lib/env";
import { AUTH_SCRIPT, GREETING_SCRIPT } from "@/lib/http/inline-scripts";
import { log } from "@/lib/http/log";

// What a browser may do with an answer of the shop: docs/decisions/030. No page runs an inline
// script that the shop does not know, whatever has got into its HTML.

export const POLICY_HEADER = "content-security-policy";

/** For every answer that is no document: opened by itself it loads and runs nothing. */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Inline scripts and styles that a document may have, as sources: `'sha256-…'` or `'nonce-…'`. */
interface Inline {
  scripts: readonly string[];
  styles: readonly string[];
}

/** The payment provider is met on one page alone, which is always loaded as a document of its own. */
const CHECKOUT_PAGE = /(?:^|\/site\/fr)\/checkout$/;

/**
 * The policy of a finished document.
 *
 * @param address its path, or the key under which Next.js stores it, which ends with one
 */
export function documentPolicy({ html, address }: { html: string; address: string }): string {
  return policyOf({ inline: inlineOf(html), isCheckout: CHECKOUT_PAGE.test(address) });
}

/** The demonstration's mails are shown in a frame that inherits the page's policy, and bring styles. */
const MAIL_PAGE = /^\/mailbox\b/;

/** An invoice that was made by hand may name a PDF anywhere on the web, which its screen saves. */
const BACK_OFFICE_PAGE = /^\/backoffice\b/;

/** The policy of a document that is still to be rendered, with the nonce that it is to carry. */
export function noncePolicy({ nonce, address }: { nonce: string; address: string }): string {
  const source = `'nonce-${nonce}'`;
  const styles = [MAIL_PAGE.test(address) ? "'unsafe-inline'" : source];
  // The script in <head> is the same everywhere, so it has no nonce.
  const scripts = [source, hashSource(AUTH_SCRIPT)];
  const files = BACK_OFFICE_PAGE.test(address) ? WEB : [];
  return policyOf({ inline: { scripts, styles }, isCheckout: false, files });
}

/** Anywhere on the web. */
const WEB = ["https:", "http:"];

interface PolicyOptions {
  inline: Inline;
  isCheckout: boolean;
  /** Where the page's scripts may read files besides. */
  files?: readonly string[];
}

function policyOf({ inline, isCheckout, files = [] }: PolicyOptions): string {
  const audience = audienceOrigin();
  const payment = isCheckout ? paymentSources() : NO_SOURCES;
  const directives: Record<string, readonly (string | null)[]> = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...inline.scripts, audience, ...payment.scripts],
    "style-src": ["'self'", ...inline.styles],
    // Ratings and colours are attributes; no rule can be written in them, no address be chosen.
    "style-src-attr": ["'unsafe-inline'"],
    // A product's picture may be anywhere on the web.
    "img-src": ["'self'", "data:", "blob:", ...WEB],
    "font-src": ["'self'"],
    "connect-src": ["'self'", audience, ...payment.connections, ...files],
    "manifest-src": ["'self'"],
    ...(payment.frames.length > 0 && { "frame-src": payment.frames }),
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources.filter(Boolean))].join(" "))
    .join("; ");
}

interface OutsideSources {
  scripts: readonly string[];
  frames: readonly string[];
  connections: readonly string[];
}

const NO_SOURCES: OutsideSources = { scripts: [], frames: [], connections: [] };

/** https://docs.stripe.com/security/guide#content-security-policy */
const STRIPE: OutsideSources = {
  scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frames: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connections: ["https://api.stripe.com"],
};

function paymentSources(): OutsideSources {
  const { isSandbox, apiBase } = paymentProvider();
  return isSandbox ? { ...NO_SOURCES, connections: [new URL(apiBase).origin] } : STRIPE;
}

function audienceOrigin(): string | null {
  const { MATOMO_URL } = env();
  return MATOMO_URL ? new URL(MATOMO_URL).origin : null;
}

const hashSource = (text: string) =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const INLINE = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g;

/** The inline scripts that the shop knows, and all inline styles. */
function inlineOf(html: string): Inline {
  const scripts: string[] = [];
  const styles: string[] = [];
  for (const [, element, attributes = "", text = ""] of html.matchAll(INLINE)) {
    if (element === "style") styles.push(hashSource(text));
    else if (isRun(attributes) && isKnownScript(text)) scripts.push(hashSource(text));
  }
  return { scripts, styles };
}

/** Structured data (JSON-LD) is not run, and what has an address is not inline. */
const isRun = (attributes: string) => !/\s(?:src|type)=/.test(attributes);

const OWN_SCRIPTS: ReadonlySet<string> = new Set([AUTH_SCRIPT, GREETING_SCRIPT]);

/** Calls by which Next.js hands over what a page consists of: one argument, which is JSON. */
const HANDOVERS = [
  /^self\.__next_f\.push\((\[.*\])\)$/s,
  /^\(self\.__next_f=self\.__next_f\|\|\[\]\)\.push\((\[.*\])\)$/s,
  /^\(globalThis\["TURBOPACK"\] \|\| \(globalThis\["TURBOPACK"\] = \[\]\)\)\.push\((\{.*\})\);$/s,
];

/**
 * Is it one of the shop's own, or a call of Next.js with nothing but data in it? Whatever else
 * stands in a page's HTML has got there by mistake, or was put there by somebody, and does not run.
 */
export function isKnownScript(text: string): boolean {
  const isKnown = OWN_SCRIPTS.has(text) || HANDOVERS.some((call) => isJson(call.exec(text)?.[1]));
  if (!isKnown) log.error({ length: text.length }, "an unknown inline script will not run");
  return isKnown;
}

function isJson(text: string | undefined): boolean {
  if (text === undefined) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const PUBLISHED = Symbol.for("mini-ecommerce.page-policy");

/** Gives `documentPolicy` to cache-handler.mjs, which Next.js loads outside of the bundle. */
export function publishPagePolicy(): void {
  (globalThis as Record<symbol, unknown>)[PUBLISHED] = documentPolicy;
}
